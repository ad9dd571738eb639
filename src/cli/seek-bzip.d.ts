// The package has no types of its own.

declare module "seek-bzip" {
  /** Without a way to ask for the end of the input, exactly one stream of it is read. */
  interface BzipSource {
    readByte(): number;
    read(into: Uint8Array, from: number, length: number): number;
  }
  const bzip: { decode(input: BzipSource): Buffer };
  export = bzip;
}
