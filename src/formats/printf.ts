// Numbers as C's printf writes them under %.<digits>g: the form in the originals' model files.

/**
 * `x`, a finite number, as printf("%.<digits>g") writes it, for 6 to 17 digits: that many significant ones, correctly rounded with ties
 * to even, trailing zeros dropped, an exponent of at least two digits where it is below -4 or not below `digits`.
 */
export function formatGeneral(x: number, digits: number): string {
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  if (Math.abs(x) < 10 ** Math.min(digits, 8) && Number.isInteger(x)) return String(x);
  const text = rounded(Math.abs(x), digits);
  const power = text.indexOf("e");
  const exponent = Number(text.slice(power + 1));
  const figures = text[0] + text.slice(2, power);
  return (x < 0 ? "-" : "") + placed(figures, exponent, digits);
}

/** The number of the significant digits `figures`, the first of them at 10^exponent. */
function placed(figures: string, exponent: number, digits: number): string {
  if (exponent < -4 || exponent >= digits) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${withPoint(figures, 1)}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  return exponent < 0 ? withPoint("0".repeat(-exponent) + figures, 1) : withPoint(figures, exponent + 1);
}

/** Digits with a point behind the first `whole` of them, and no zeros at the end of the fraction. */
function withPoint(figures: string, whole: number): string {
  let end = figures.length;
  while (end > whole && figures[end - 1] === "0") end--;
  return end === whole ? figures.slice(0, whole) : `${figures.slice(0, whole)}.${figures.slice(whole, end)}`;
}

/** x > 0 as "d.ddde+d", with ties to even. */
function rounded(x: number, digits: number): string {
  // Exact, but half way between two texts it takes the larger one.
  const nearest = x.toExponential(digits - 1);
  const exponent = Number(nearest.slice(digits + 2));
  if (!mayBeHalfWay(x, digits - exponent)) return nearest;
  const exact = x.toExponential(100);
  const end = digits + 1; // behind the last digit kept
  if (!/^50*e/.test(exact.slice(end))) return nearest;
  const isEven = "02468".includes(exact[end - 1] as string);
  return isEven ? exact.slice(0, end) + exact.slice(exact.indexOf("e")) : nearest;
}

/**
 * False for nearly every number that is not half way between two texts, where 10^-place is the place of the first digit dropped. Half way
 * means x = N 10^-place with N an odd multiple of 5. A double has no factor 5 in its denominator, so x 2^place is an odd integer;
 * with N below 10^18 and doubles of 53 bits that is possible for places within 30 of 0 only. Where rounding went up to the next power
 * of ten, `place` is one too small; that rounding was right, since the digits before it were all 9, which is odd.
 */
function mayBeHalfWay(x: number, place: number): boolean {
  if (Math.abs(place) > 30) return false;
  const scaled = place >= 0 ? x * (1 << place) : x / (1 << -place);
  return scaled % 2 === 1;
}
