import { z } from 'zod'
import type { ErrorName } from './errors/catalogue.ts'

/** Codes of their own for inputs of the specification; the fault of every other input is PARAMETER_INVALID. */
export const INPUT_CODES = [
  'NAME_TOO_LONG',
  'REMARK_TOO_LONG',
  'LIST_TOO_LONG',
  'PORT_INVALID',
  'BANDWIDTH_INVALID',
  'PACKAGE_SIZE_INVALID',
  'STORAGE_ID_MISSING',
] as const satisfies readonly ErrorName[]
export type InputCode = (typeof INPUT_CODES)[number]

/** As the message of a rule, `z.string().max(32, inputCode('NAME_TOO_LONG'))`: a value that breaks it is refused with this code. */
export function inputCode(code: InputCode): string {
  return code
}

/** What is wrong with an input, by the first rule that it breaks. */
export interface InputFault {
  readonly code: InputCode | 'PARAMETER_INVALID'
  readonly data: {
    /** Where in the input, by dots. */
    readonly field: string
    /** In English, for programmers; absent where the code says it all. */
    readonly rule?: string
    /** The longest that is taken, where something is too long. */
    readonly max?: number
  }
}

export function inputFault({ issues: [issue] }: z.ZodError, field = issue?.path.join('.') ?? ''): InputFault {
  const code = INPUT_CODES.find((each) => each === issue?.message)
  if (code === undefined) return { code: 'PARAMETER_INVALID', data: { field, rule: issue?.message ?? '' } }
  const max = issue?.code === 'too_big' && issue.origin === 'string' ? { max: Number(issue.maximum) } : {}
  return { code, data: { field, ...max } }
}

/** Every such code that a value may be refused with by this schema, in the order of {@link INPUT_CODES}. */
export function inputCodesOf(schema: z.ZodType): readonly InputCode[] {
  const messages = new Set<unknown>()
  const seen = new Set<object>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    if (!('_zod' in node)) return Object.values(node).forEach(visit)
    const { def } = node._zod as {
      readonly def: { readonly error?: (issue: object) => unknown; readonly getter?: () => unknown }
    }
    messages.add(def.error?.({}))
    visit(def.getter?.())
    visit({ ...def })
  }
  visit(schema)
  return INPUT_CODES.filter((code) => messages.has(code))
}

/** Of TCP or UDP. */
export const port = z
  .int(inputCode('PORT_INVALID'))
  .min(1, inputCode('PORT_INVALID'))
  .max(65_535, inputCode('PORT_INVALID'))

/** The storage that something is to lie on. */
export const storageIdInput = z.int(inputCode('STORAGE_ID_MISSING')).min(1, inputCode('STORAGE_ID_MISSING'))

/** Megabits per second; 0 is no limit. */
export function bandwidth(most: number) {
  return z
    .number(inputCode('BANDWIDTH_INVALID'))
    .min(0, inputCode('BANDWIDTH_INVALID'))
    .max(most, inputCode('BANDWIDTH_INVALID'))
}
