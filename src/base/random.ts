// Seeded random numbers for the host: the same stream as core/random.ts, bit for bit (test/unit/core/random.test.ts).

/** xoshiro128++ (Blackman & Vigna, 2019). One stream per (seed, stream) pair. */
export class Random {
  /** The four words of state, never all zero; written into the core's memory to go on there. */
  readonly state: Uint32Array;

  constructor(seed: number, stream = 0) {
    this.state = seedWords(seed, stream);
  }

  /** The next 32 random bits. */
  bits(): number {
    const s = this.state;
    const s0 = s[0] as number;
    let s1 = s[1] as number;
    let s2 = s[2] as number;
    let s3 = s[3] as number;
    const result = (rotateLeft(s0 + s3, 7) + s0) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s[0] = s0 ^ s3;
    s[1] = s1;
    s[2] = s2 ^ t;
    s[3] = rotateLeft(s3, 11);
    return result;
  }

  /** A number in [0, bound), every one equally likely; 1 <= bound < 2^32. */
  below(bound: number): number {
    let high = 0;
    let low = 0;
    const draw = (): void => {
      const bits = this.bits();
      // bits * bound as high and low words, by halves: the product has up to 64 bits and a double holds 53.
      const first = (bits >>> 16) * bound;
      const second = (bits & 0xffff) * bound;
      const sum = (first % 0x10000) * 0x10000 + second;
      high = Math.floor(first / 0x10000) + Math.floor(sum / 0x100000000);
      low = sum >>> 0;
    };
    draw();
    if (low < bound) {
      const incomplete = 0x100000000 % bound;
      while (low < incomplete) draw();
    }
    return high;
  }

  /** A number in [0, 1), a multiple of 2^-53. */
  unit(): number {
    return ((this.bits() >>> 5) * 0x4000000 + (this.bits() >>> 6)) / 0x20000000000000;
  }

  /** Puts `order` into a random order, in place. */
  shuffle(order: { [k: number]: number; readonly length: number }): void {
    for (let k = 0; k < order.length; k++) {
      const picked = k + this.below(order.length - k);
      const kept = order[picked] as number;
      order[picked] = order[k] as number;
      order[k] = kept;
    }
  }
}

function rotateLeft(x: number, k: number): number {
  return (x << k) | (x >>> (32 - k));
}

/** Four well-mixed words from a seed of up to 53 bits and a stream number. */
function seedWords(seed: number, stream: number): Uint32Array {
  const words = new Uint32Array(4);
  let h = mix((seed >>> 0) ^ mix(Math.floor(seed / 0x100000000) >>> 0) ^ Math.imul(stream + 1, 0x9e3779b9));
  for (let k = 0; k < 4; k++) {
    h = (h + 0x9e3779b9) >>> 0;
    words[k] = mix(h);
  }
  // mix is a bijection, so at most one of the four words is zero: the state is never all zero.
  return words;
}

/** The finaliser of MurmurHash3: every input bit changes about half of the output bits. */
function mix(h: number): number {
  let x = h ^ (h >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
