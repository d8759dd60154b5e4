import type { z } from 'zod'
import { validInput } from '../../kernel/valid-input.ts'

/** What the query of a request for a picture says. @throws AppError PARAMETER_INVALID with the field */
export function pictureQuery<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  return validInput(schema, Object.fromEntries(query))
}
