import type { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'

/** What the query of a request for a picture says. @throws AppError PARAMETER_INVALID with the field */
export function pictureQuery<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(query))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError('PARAMETER_INVALID', { field: issue?.path.join('.') ?? '', rule: issue?.message ?? '' })
}
