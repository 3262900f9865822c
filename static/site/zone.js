// Tells the server in which time zone this browser is, and offers all zones where one is typed. Without script times
// that belong to no event are in UTC, with its name.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
if (/^[\w+/-]{1,40}$/.test(zone) && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; path=/; max-age=31536000; SameSite=Lax`;
}

const offered = document.querySelector("[data-zones]");
if (offered && Intl.supportedValuesOf) {
  const names = ["UTC", ...Intl.supportedValuesOf("timeZone")];
  offered.replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), { value: name })));
}
