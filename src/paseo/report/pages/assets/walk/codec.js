/** Numbers that `paseo.report.packing` made short. */

const HUNDREDTH = 0.01;

export class Numbers {
  #bytes;
  #at = 0;

  constructor(text) {
    this.#bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  }

  /** The next whole number: seven bits to a byte, lowest first, the sign in the lowest bit. */
  next() {
    let value = 0;
    let weight = 1;
    let byte;
    do {
      byte = this.#bytes[this.#at++];
      value += (byte & 127) * weight;
      weight *= 128;
    } while (byte & 128);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  /** The next smooth sequence, in metres or radians. */
  curve(count) {
    const values = new Float64Array(count);
    let value = 0;
    let step = 0;
    for (let k = 0; k < count; k++) {
      step += this.next();
      value += step;
      values[k] = value * HUNDREDTH;
    }
    return values;
  }
}
