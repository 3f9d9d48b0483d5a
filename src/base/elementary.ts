/**
 * Elementary functions from arithmetic alone, so that every engine computes the same bits
 * (docs/model/time.md#elementary-functions). Their reductions and coefficients are those of fdlibm 5.3
 * (https://www.netlib.org/fdlibm/; Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft,
 * a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is freely granted,
 * provided that this notice is preserved), its cube root the later one by B. D. Evans and S. Kargl.
 */
export { asin, atan2, cos, sin, tan } from "./elementary/angles.ts";
export { exp, expm1 } from "./elementary/exponential.ts";
export { log, log1p, log10 } from "./elementary/logarithm.ts";
export { cbrt, pow } from "./elementary/power.ts";
