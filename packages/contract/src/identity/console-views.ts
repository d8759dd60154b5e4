import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

/** Views of one list that a person may save. */
export const VIEWS_MAX = 50
export const VIEW_NAME_MAX = 64

const list = z.string().regex(/^[a-z][a-z-]{0,31}$/)

/** Filter, order and columns as the address of a list names them. */
const search = z
  .record(z.string().min(1).max(32), z.string().min(1).max(512))
  .refine((names) => Object.keys(names).length <= 24, 'at most 24 facts')

const savedView = z.object({ id: z.string(), name: z.string(), search: z.record(z.string(), z.string()) })
export type SavedView = z.infer<typeof savedView>

/** How a person looks at a list again and again; nobody else sees it. */
export const adminViewRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/views',
    summary: 'Saved views of a list, one’s own',
    access: { right: 'console.open' },
    query: z.object({ list }),
    reply: z.object({ views: z.array(savedView) }),
    errors: [],
  }),
  save: defineRoute({
    method: 'POST',
    path: '/api/admin/views',
    summary: 'Save a view of a list; one of the same name is replaced',
    access: { right: 'console.open' },
    log: 'view.save',
    body: z.strictObject({
      list,
      name: z.string().trim().min(1).max(VIEW_NAME_MAX, inputCode('NAME_TOO_LONG')),
      search,
    }),
    reply: z.object({ view: savedView }),
    errors: ['VIEWS_TOO_MANY'],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/views/remove',
    summary: 'Remove a saved view',
    access: { right: 'console.open' },
    log: 'view.remove',
    body: z.strictObject({ viewId: z.string().max(64) }),
    reply: z.object({}),
    errors: ['VIEW_NOT_FOUND'],
  }),
}
