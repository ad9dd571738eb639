// Words and numbers of a report. No locale: the same text everywhere. What is not a number is a dash.

/** What stands where there is nothing to say. */
export const NOTHING = "–";
/** Holds a number and its unit together. */
const JOINED = "\u00a0";
const MINUS = "\u2212";

const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text as HTML and SVG show it, in elements and in attributes. Control characters, which neither may hold, are left out. */
export function escaped(text: unknown): string {
  return String(text ?? "")
    .replace(/(?![\t\n\r])\p{Cc}/gu, "")
    .replace(/[&<>"']/g, (mark) => marks[mark] as string);
}

/** The first so many characters, with dots where there were more. */
export function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`;
}

/** 1234567 as "1,234,567". */
export function grouped(count: number): string {
  if (!Number.isFinite(count)) return NOTHING;
  const [whole = "", part] = String(Math.abs(count)).split(".");
  const sign = count < 0 ? MINUS : "";
  return `${sign}${/e/.test(whole) ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",")}${part === undefined ? "" : `.${part}`}`;
}

/** "1 row", "2 rows", "3 classes". */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : /(s|ss|x|ch)$/.test(noun) ? "es" : "s"}`;
}

/** A few digits, but all of those before the point; in powers of ten where that is not short. */
export function brief(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? `${MINUS}∞` : NOTHING;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 0.001 || size >= 1e6) return inTens(value);
  const whole = String(Math.floor(size)).length;
  return grouped(Math.sign(value) * Number(size.toPrecision(Math.max(digits, whole))));
}

/** With so many digits behind the point, for columns in which points stand below each other. */
export function fixed(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return NOTHING;
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", MINUS);
}

/** A share as "93.4 %": never "100 %" of what is not all, nor "0 %" of what is not nothing. */
export function share(value: number, digits = 1): string {
  if (!Number.isFinite(value)) return NOTHING;
  const least = 10 ** -digits;
  const text = value === 1 || value === 0 ? String(100 * value) : Math.min(Math.max(100 * value, least), 100 - least).toFixed(digits);
  return `${text}${JOINED}%`;
}

/** An upper bound as a share: two digits, rounded up, as it would be no bound otherwise. */
export function bound(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  if (value <= 0) return `0${JOINED}%`;
  // Smaller ones are for those who ask for the gap itself.
  const percent = Math.max(100 * value, 1e-4);
  return `${trimmed(String(Number(roundedUp(percent).toPrecision(2))))}${JOINED}%`;
}

function roundedUp(value: number): number {
  const power = Number(value.toExponential().split("e")[1]);
  const unit = 10 ** (power - 1);
  // 0.08 is a little more than 0.08: what arithmetic added is no reason to round up.
  return Math.ceil(value / unit - 1e-9) * unit;
}

export function seconds(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  if (value < 0.0995) return `${trimmed((value * 1000).toPrecision(2))}${JOINED}ms`;
  if (value < 119.5) return `${value < 9.95 ? value.toFixed(2) : value.toFixed(1)}${JOINED}s`;
  const minutes = value / 60;
  return minutes < 119.5 ? `${minutes.toFixed(1)}${JOINED}min` : `${(minutes / 60).toFixed(1)}${JOINED}h`;
}

/** A value of an option: numbers brief, the rest as it is. */
export function valueText(value: unknown): string {
  if (typeof value === "number") return Number.isFinite(value) ? plain(value) : brief(value);
  return value === undefined || value === null || value === "" ? NOTHING : String(value);
}

/** All digits of a number that somebody chose: 0.001 stays 0.001. */
function plain(value: number): string {
  const text = String(value);
  return text.length <= 8 && !text.includes("e") ? grouped(value) : brief(value, 6);
}

const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 10⁻³ of the exponent -3. */
export function powerOfTen(exponent: number): string {
  return `10${String(exponent).replace(/./g, (sign) => (sign === "-" ? "⁻" : (raised[Number(sign)] as string)))}`;
}

function inTens(value: number): string {
  const [digits = "", power = "0"] = value.toExponential(1).split("e");
  const head = trimmed(digits).replace("-", MINUS);
  return head === "1" ? powerOfTen(Number(power)) : `${head}${JOINED}×${JOINED}${powerOfTen(Number(power))}`;
}

function trimmed(text: string): string {
  return text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "");
}

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** What a decision value or a problem is about. */
export function against(positive: unknown, negative: unknown, otherwise = "all classes at once"): string {
  if (positive === undefined) return otherwise;
  return `${positive} against ${negative === undefined ? "the rest" : negative}`;
}
