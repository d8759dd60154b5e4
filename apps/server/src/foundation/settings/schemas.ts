import { isEmail, isVersion, type InputCode } from '@godwit/contract'
import { z } from 'zod'

/** Schemas that several settings share. They read the text of a command line as well as JSON. */

const WORDS: Readonly<Record<string, number>> = { '0': 0, false: 0, off: 0, no: 0, '1': 1, true: 1, on: 1, yes: 1 }

/** 1 on, 0 off, as the wire has it; `on`, `true` and `yes` are read as 1. */
export function onOff(byDefault: 0 | 1) {
  const known = (value: unknown): unknown => {
    const word = typeof value === 'string' ? value.toLowerCase() : String(value)
    return WORDS[word] ?? value
  }
  return z.preprocess(
    (value) => (value === undefined ? byDefault : known(value)),
    z.union([z.literal(0), z.literal(1)], 'must be 1 (on) or 0 (off)'),
  )
}

/** @param code what a longer one is refused with, where that has a code of its own */
export function line(most: number, code?: InputCode) {
  return (
    z
      .string()
      .max(most, code ?? `must have at most ${most} characters`)
      // One line, and nothing that a terminal or a log would obey.
      .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must be one line of text')
      .default('')
  )
}

/** One of these numbers; the texts of the settings name them. */
export function oneOf(numbers: readonly number[], byDefault: number) {
  return z.coerce
    .number()
    .refine((value) => numbers.includes(value), `must be one of ${numbers.join(', ')}`)
    .default(byDefault)
    .meta({ enum: [...numbers] })
}

export function colour(byDefault: string) {
  return z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #FD5C1F')
    .default(byDefault)
    .meta({ format: 'color' })
}

export function version() {
  return z.string().refine(isVersion, 'must be a version like 1.0.0').default('1.0.0').meta({ format: 'version' })
}

export function email(most: number) {
  return line(most)
    .refine((text) => text === '' || isEmail(text), 'must be an e-mail address')
    .meta({ format: 'email' })
}

/** @param code what a wrong number is refused with, where it has a code of its own */
export function whole(least: number, most: number, code?: InputCode) {
  return z.coerce
    .number(code ?? 'must be a number')
    .int(code ?? 'must be a whole number')
    .min(least, code ?? `must be ${least} or more`)
    .max(most, code ?? `must be ${most} or less`)
}

export function link(most: number) {
  return line(most)
    .refine((text) => text === '' || isWebAddress(text), 'must be an address that begins with https:// or http://')
    .meta({ format: 'url' })
}

/** An address that a page may link to: never a script. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
