# -*- coding: rot_13 -*-
qrs pubbfr(bofreingvba): erghea 0
