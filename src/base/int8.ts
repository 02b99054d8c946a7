/** The halves of PostgreSQL's int8, as the binary format of COPY has them. Pure. */

/** The upper 32 bits of an int8, signed. */
export function highWord(value: bigint): number {
  return Number(value >> 32n)
}

/** The lower 32 bits of an int8, signed. */
export function lowWord(value: bigint): number {
  return Number(BigInt.asIntN(32, value))
}
