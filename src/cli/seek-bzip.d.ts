// The package has no types of its own.

declare module "seek-bzip" {
  const bzip: { decode(input: Buffer): Buffer };
  export = bzip;
}
