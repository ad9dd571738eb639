// Structs over raw memory, as the host sees them: fields by name, one struct or many in a row.

type FieldType = "u32" | "f32" | "f64";
const SIZE: Record<FieldType, number> = { u32: 4, f32: 4, f64: 8 };

/** A struct's fields in order, with natural alignment. */
export interface Struct<Name extends string = string> {
  readonly size: number;
  readonly offsets: Readonly<Record<Name, number>>;
  readonly types: Readonly<Record<Name, FieldType>>;
}

export function struct<const F extends Readonly<Record<string, FieldType>>>(types: F): Struct<keyof F & string> {
  const offsets: Record<string, number> = {};
  let end = 0;
  let widest = 4;
  for (const [name, type] of Object.entries(types)) {
    const size = SIZE[type];
    end = Math.ceil(end / size) * size;
    offsets[name] = end;
    end += size;
    widest = Math.max(widest, size);
  }
  return { size: Math.ceil(end / widest) * widest, offsets: offsets as Record<keyof F & string, number>, types };
}

/** Where a struct is, with its fields readable and writable by name. */
export class StructView<Name extends string> {
  readonly pointer: number;
  readonly #struct: Struct<Name>;
  readonly #view: DataView;

  constructor(struct: Struct<Name>, buffer: ArrayBufferLike, pointer: number) {
    this.#struct = struct;
    this.#view = new DataView(buffer, pointer, struct.size);
    this.pointer = pointer;
  }

  get(name: Name): number {
    const at = this.#struct.offsets[name];
    const type = this.#struct.types[name];
    if (type === "u32") return this.#view.getUint32(at, true);
    return type === "f32" ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
  }

  set(name: Name, value: number): void {
    const at = this.#struct.offsets[name];
    if (at === undefined) throw new RangeError(`the struct has no field ${name}`); // a spread hides names from the compiler
    const type = this.#struct.types[name];
    if (type === "u32") this.#view.setUint32(at, value, true);
    else if (type === "f32") this.#view.setFloat32(at, value, true);
    else this.#view.setFloat64(at, value, true);
  }

  assign(values: Partial<Record<Name, number>>): void {
    for (const name in values) this.set(name, values[name] as number);
  }
}

type Numbers = Float64Array | Float32Array | Uint32Array;

/** One field of many structs in a row, by position. */
export class Column {
  readonly #array: Numbers;
  readonly #stride: number;

  constructor(struct: Struct, name: string, buffer: ArrayBufferLike, pointer: number, count: number) {
    const type = struct.types[name] as FieldType;
    this.#stride = struct.size / SIZE[type];
    const first = pointer + (struct.offsets[name] as number);
    const length = count === 0 ? 0 : (count - 1) * this.#stride + 1;
    if (type === "f64") this.#array = new Float64Array(buffer, first, length);
    else if (type === "f32") this.#array = new Float32Array(buffer, first, length);
    else this.#array = new Uint32Array(buffer, first, length);
  }

  get(k: number): number {
    return this.#array[k * this.#stride] as number;
  }

  set(k: number, value: number): void {
    this.#array[k * this.#stride] = value;
  }

  /** Sets the field of all structs, or of as many as there are values. */
  fill(values: ArrayLike<number> | number): void {
    const array = this.#array;
    const stride = this.#stride;
    if (typeof values === "number") {
      for (let at = 0; at < array.length; at += stride) array[at] = values;
      return;
    }
    for (let k = 0; k < values.length; k++) array[k * stride] = values[k] as number;
  }

  /** The field of the first `count` structs. */
  copy(count: number): Float64Array {
    const array = this.#array;
    const stride = this.#stride;
    const values = new Float64Array(count);
    for (let k = 0; k < count; k++) values[k] = array[k * stride] as number;
    return values;
  }
}
