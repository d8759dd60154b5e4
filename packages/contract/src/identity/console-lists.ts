import { z } from 'zod'

/** Rows of a console list: 10 unless asked otherwise, 10 to 50. */
export const CONSOLE_PAGE = { default: 10, min: 10, max: 50 } as const

/** Query fields of every console list. Pages count from 1. */
export const listQuery = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(CONSOLE_PAGE.min).max(CONSOLE_PAGE.max).default(CONSOLE_PAGE.default),
  /** Part of what identifies a row, such as a name; case does not matter. */
  text: z.string().trim().max(256).optional(),
  order: z.enum(['asc', 'desc']).default('asc'),
}

/** @param total rows of all pages that fit the filter */
export function listReply<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), total: z.int(), page: z.int(), size: z.int() })
}

/** Counts up with each change. An edit sends the one it started from; another one in between is answered with EDIT_CONFLICT. */
export const revision = z.int().min(1)
