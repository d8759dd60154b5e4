import { inputFault } from '@godwit/contract'
import type { z } from 'zod'
import { AppError } from './errors.ts'

/**
 * A value as its schema makes it.
 * @param field what the value is called where the schema does not say
 * @throws AppError PARAMETER_INVALID naming the field and the rule, or the code that the rule has of its own
 */
export function validInput<Schema extends z.ZodType>(schema: Schema, value: unknown, field?: string): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { code, data } = inputFault(parsed.error, field)
  throw new AppError(code, data)
}
