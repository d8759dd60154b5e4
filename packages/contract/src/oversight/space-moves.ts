import { storageIdInput as storageId } from '../input-codes.ts'
import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

/** Files that cannot be copied, as far as they are named one by one. */
export const SPACE_MOVE_NAMED_MAX = 50

const progress = z.object({
  places: z.int(),
  placesDone: z.int(),
  /** What there is to copy, as it was counted when the job began. */
  files: z.int(),
  bytes: z.int(),
  /** What of it is on the other storage. */
  filesDone: z.int(),
  bytesDone: z.int(),
  /** Since the job runs; what was copied before is not counted. */
  bytesPerSecond: z.int(),
  /** Files that somebody changed while they were copied. */
  changed: z.int(),
  /** Links, sockets and names that no storage shows to anybody. */
  leftOut: z.int(),
  /** Files whose bytes are not what was stored; `path` is empty for earlier versions and deleted files. */
  corrupt: z.array(z.object({ keeper: z.string(), path: z.string() })),
})
export type SpaceMoveProgress = z.infer<typeof progress>

const move = z.object({
  storageId: z.int(),
  /** Copies to the other storage, switches to it, removes the copies again, or frees the old storage after the switch. */
  task: z.enum(['copy', 'switch', 'cancel', 'free']),
  state: z.enum(['working', 'paused', 'done', 'failed']),
  /** Name of the error it failed with; while it works, of what it waits for. */
  error: z.string(),
  startedAt: z.int(),
  changedAt: z.int(),
  progress,
})
export type SpaceMoveView = z.infer<typeof move>

const stored = z.object({ id: z.int(), name: z.string(), places: z.int() })

const params = z.object({ spaceId: z.coerce.number().int().min(1) })
const access = { right: 'storages.edit' } as const

export const spaceMoveRoutes = {
  view: defineRoute({
    method: 'GET',
    path: '/api/admin/spaces/:spaceId/move',
    summary: 'On which storages the homes and libraries of a space are, and the move that is under way',
    access,
    params,
    reply: z.object({
      storages: z.array(stored),
      move: move.nullable(),
      /** Places that were switched and still have their files on the old storage as well. */
      switched: z.int(),
      /** Whether the console can switch: that needs a server that starts again by itself. */
      canSwitch: z.boolean(),
    }),
    errors: ['SPACE_NOT_FOUND'],
  }),
  begin: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces/:spaceId/move',
    summary:
      'Copy the homes and libraries of a space to another storage; repeated, go on or copy what has changed since',
    access,
    log: 'space.copy',
    params,
    body: z.strictObject({ storageId }),
    reply: z.object({}),
    errors: [
      'SPACE_NOT_FOUND',
      'STORAGE_NOT_FOUND',
      'STORAGE_FULL',
      'STORAGE_READ_ONLY',
      'STORAGE_CONNECTION_FAILED',
      'SPACE_MOVE_NEEDLESS',
      'SPACE_MOVE_UNDER_WAY',
      'SPACE_MOVE_UNSETTLED',
    ],
  }),
  pause: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces/:spaceId/move/pause',
    summary: 'Stop copying; what is copied stays, and the next begin goes on from there',
    access,
    log: 'space.copy-pause',
    params,
    reply: z.object({}),
    errors: ['SPACE_NOT_FOUND', 'SPACE_MOVE_MISSING'],
  }),
  switch: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces/:spaceId/move/switch',
    summary:
      'Keep a copied space on its new storage: the server takes nothing new until what is under way has ended, starts again, and copies what has changed since',
    access,
    log: 'space.switch',
    params,
    reply: z.object({}),
    errors: ['SPACE_NOT_FOUND', 'SPACE_MOVE_MISSING', 'SPACE_MOVE_UNDER_WAY', 'OPERATION_UNSUPPORTED'],
  }),
  cancel: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces/:spaceId/move/cancel',
    summary: 'Give the move up and remove the copies; the space stays where it is',
    access,
    log: 'space.copy-cancel',
    params,
    reply: z.object({}),
    errors: ['SPACE_NOT_FOUND', 'SPACE_MOVE_MISSING', 'SPACE_MOVE_UNDER_WAY'],
  }),
  free: defineRoute({
    method: 'POST',
    path: '/api/admin/spaces/:spaceId/move/free',
    summary: 'Remove what places that were switched left on their old storage',
    access,
    log: 'space.copy-free',
    params,
    reply: z.object({}),
    errors: ['SPACE_NOT_FOUND', 'SPACE_MOVE_MISSING', 'SPACE_MOVE_UNDER_WAY'],
  }),
}
