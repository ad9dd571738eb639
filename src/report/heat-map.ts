// Cells by row and column, the stronger the colour the more: with numbers where they fit, without where cells are many.

import { at, type Drawing, drawing, textWidth } from "./axes.js";
import { cut, escaped } from "./text.js";

export interface Cell {
  /** Of 0 to 1; undefined where nothing is known. */
  readonly strength: number | undefined;
  readonly look: "accent" | "wrong";
  /** Printed into the cell if it is wide enough for all. */
  readonly text?: string;
  /** Shown where the mouse stands. */
  readonly hint?: string;
  readonly isBest?: boolean;
}

export interface HeatMap extends Omit<Drawing, "width" | "height"> {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** What rows and columns are. */
  readonly names: readonly [rows: string, columns: string];
  /** undefined: an empty cell, which is not drawn. */
  readonly cell: (row: number, column: number) => Cell | undefined;
  /** Width and height of a cell. */
  readonly size: readonly [width: number, height: number];
  /** Names of columns run upwards. */
  readonly isSteep?: boolean;
}

const LONGEST_NAME = 22;
const TEXT_HEIGHT = 12.5;
/** Texts stay readable on cells that are not stronger than this. */
const STRONGEST_UNDER_TEXT = 0.55;

/** The drawing, how wide it is, and how narrow it may become before texts are too small: in a narrower place it scrolls. */
export function heatMap(map: HeatMap): { readonly text: string; readonly width: number; readonly least: number } {
  const { rows, columns, size, isSteep = false, names } = map;
  const widest = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, textWidth(cut(text, LONGEST_NAME))), 0);
  const left = Math.max(widest(rows) + 12, 30);
  const top = 24 + (isSteep ? widest(columns) : TEXT_HEIGHT) + 8;
  const width = left + columns.length * size[0] + 2;
  const height = top + rows.length * size[1] + 2;
  const gap = size[1] >= 14 ? 2 : size[1] >= 8 ? 1 : 0;

  const parts = [
    `<text x="${at(left)}" y="12">${escaped(names[1])} →</text>`,
    `<text x="0" y="${at(top - 8)}">${escaped(names[0])} ↓</text>`,
  ];
  for (const k of labelled(rows.length, size[1])) {
    const y = top + (k + 0.5) * size[1];
    parts.push(`<text class="strong" x="${at(left - 8)}" y="${at(y)}" dy="0.35em" text-anchor="end">${nameText(rows[k])}</text>`);
  }
  for (const k of labelled(columns.length, isSteep ? size[0] : Infinity)) {
    const x = left + (k + 0.5) * size[0];
    const place = isSteep
      ? `transform="translate(${at(x)} ${at(top - 8)}) rotate(-90)" dy="0.35em"`
      : `x="${at(x)}" y="${at(top - 8)}" text-anchor="middle"`;
    parts.push(`<text class="strong" ${place}>${nameText(columns[k])}</text>`);
  }
  const whole = { x: left, y: top, width: columns.length * size[0], height: rows.length * size[1] };
  if (gap === 0) parts.push(`<rect class="empty-cell" ${boxText(whole)}/>`);
  const rings: string[] = [];
  rows.forEach((_, row) => {
    columns.forEach((_name, column) => {
      const cell = map.cell(row, column);
      const box = { x: left + column * size[0], y: top + row * size[1], width: size[0] - gap, height: size[1] - gap };
      if (cell === undefined && gap === 0) return;
      parts.push(cellText(cell, box, gap));
      if (cell?.isBest) rings.push(`<rect class="ring" ${boxText(box)} rx="3"/>`);
    });
  });
  return { text: drawing({ ...map, width, height }, [...parts, ...rings].join("\n")), width, least: 0.85 * width };
}

function nameText(name: string | undefined): string {
  const text = name ?? "";
  const short = cut(text, LONGEST_NAME);
  return short === text ? escaped(text) : `${escaped(short)}<title>${escaped(text)}</title>`;
}

/** Which names there is room for: all, or every so many-th. */
function labelled(count: number, size: number): number[] {
  const step = Math.max(1, Math.ceil(TEXT_HEIGHT / size));
  return Array.from({ length: count }, (_, k) => k).filter((k) => k % step === 0);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function boxText({ x, y, width, height }: Box): string {
  return `x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"`;
}

function cellText(cell: Cell | undefined, box: Box, gap: number): string {
  const rounded = gap === 2 ? ' rx="3"' : "";
  const ground = `<rect class="empty-cell" ${boxText(box)}${rounded}`;
  if (cell?.strength === undefined) return `${ground}/>`;
  const hasText = cell.text !== undefined;
  const strength = (hasText ? STRONGEST_UNDER_TEXT : 1) * Math.min(Math.max(cell.strength, 0), 1);
  const hint = cell.hint === undefined ? "" : `<title>${escaped(cell.hint)}</title>`;
  const opacity = Math.round(100 * strength) / 100;
  const colour = `<rect class="${cell.look}-cell" ${boxText(box)}${rounded} fill-opacity="${opacity}">${hint}</rect>`;
  const under = gap === 0 ? "" : `${ground}/>`;
  if (!hasText) return under + colour;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const look = cell.isBest ? "value best" : "value";
  const place = `x="${at(x)}" y="${at(y)}" dy="0.35em" text-anchor="middle" pointer-events="none"`;
  return `${under}${colour}<text class="${look}" ${place}>${escaped(cell.text)}</text>`;
}
