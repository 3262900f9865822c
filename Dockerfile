# One image for web, worker and beat; docker-compose.yml says which command each runs.

# A deployment names an image with its digest (.env.example): a tag may mean another image tomorrow.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
COPY requirements.lock requirements-data.lock requirements-compile.lock ./
# A neutral prefix: what a bot's traceback shows of it tells nothing. The environment is filled from outside and has no pip.
# One library comes as source: it is built by the pinned setuptools, not by one that pip would fetch without a hash.
RUN python -m venv --without-pip /opt/hanami \
    && sed -n '/^setuptools==/,/[^\\]$/p' requirements.lock > setuptools.lock \
    && pip --python /opt/hanami/bin/python install --progress-bar off --no-deps --require-hashes -r setuptools.lock \
    && pip --python /opt/hanami/bin/python install --progress-bar off --no-deps --no-build-isolation --use-pep517 \
    --require-hashes -r requirements.lock \
    && pip --python /opt/hanami/bin/python install --progress-bar off --no-deps --require-hashes -r requirements-data.lock
# The engine in machine code; the compiler and mypyc stay behind in this stage.
RUN apt-get update -q && apt-get install -y -q --no-install-recommends gcc libc6-dev \
    && python -m venv /build/tools \
    && /build/tools/bin/pip install --progress-bar off --no-deps --require-hashes -r requirements-compile.lock
COPY engine engine
COPY scripts scripts
RUN /build/tools/bin/python scripts/compile_engine.py && python scripts/slim.py /opt/hanami
# What the site offers to authors and researchers at /kit/.
COPY LICENSE pyproject.toml ./
COPY bots bots
COPY core core
COPY kit kit
COPY static static
RUN /build/tools/bin/python -m scripts.distributions --into /build/dist

FROM ${PYTHON_IMAGE}
ENV PATH=/opt/hanami/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    OPENBLAS_NUM_THREADS=1 \
    HANAMI_DATA_DIR=/var/lib/hanami \
    HANAMI_STATIC_DIR=/srv/static \
    HANAMI_KIT_DIR=/srv/kit
# Nothing in the image installs anything.
RUN rm -rf /usr/local/lib/python3*/site-packages/* /usr/local/lib/python3*/ensurepip /usr/local/bin/pip*
RUN groupadd --system --gid 10001 hanami \
    && useradd --system --uid 10001 --gid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin hanami \
    && mkdir -p /var/lib/hanami /srv/static /backups /dataset \
    && chown hanami:hanami /var/lib/hanami /srv/static /backups /dataset \
    && chmod 0700 /backups
WORKDIR /srv/hanami
COPY --from=build /opt/hanami /opt/hanami
COPY manage.py ./
COPY config ./config
COPY core ./core
COPY activity ./activity
COPY web ./web
COPY engine ./engine
COPY --from=build /build/engine/_compiled ./engine/_compiled
COPY bots ./bots
COPY accounts ./accounts
COPY tables ./tables
COPY tournaments ./tournaments
COPY guides ./guides
COPY packages ./packages
COPY docs ./docs
COPY --from=build /build/dist /srv/kit
COPY templates ./templates
COPY static ./static
COPY locale ./locale
RUN python -m compileall -q /srv/hanami /opt/hanami/lib && python manage.py collectstatic --noinput --verbosity 0 \
    && rm -f /var/lib/hanami/secret_key
USER hanami
EXPOSE 8000
# For whoever runs the image alone; docker-compose.yml has a check of its own for each service.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["uvicorn", "config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--no-access-log", "--no-proxy-headers", "--timeout-graceful-shutdown", "10"]
