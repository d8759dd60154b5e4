import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

const backup = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  occasion: z.enum(['schedule', 'manual']),
  /** Path of the archive on the server. */
  file: z.string(),
  bytes: z.int(),
  /** Entries of the archive. */
  files: z.int(),
  /** Why it failed, in English, as the log has it. */
  reason: z.string(),
  startedAt: z.int(),
  finishedAt: z.int().nullable(),
  /** Whether it restores, as a drill found; '' before the first. */
  drillState: z.enum(['', 'running', 'passed', 'failed']),
  drillReason: z.string(),
  drilledAt: z.int().nullable(),
})
export type BackupView = z.infer<typeof backup>

const access = { right: 'backup.run' } as const

export const backupRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/backups',
    summary: 'Backups of the installation, the newest first, and where they are kept',
    access,
    reply: z.object({ backups: z.array(backup), folder: z.string(), isOn: z.boolean() }),
    errors: [],
  }),
  begin: defineRoute({
    method: 'POST',
    path: '/api/admin/backups',
    summary: 'Begin a backup now; while one is under way, the answer names that one',
    access,
    log: 'backup.begin',
    reply: z.object({ backupId: z.string() }),
    errors: [],
  }),
  drill: defineRoute({
    method: 'POST',
    path: '/api/admin/backups/drill',
    summary: 'Restore a backup into a place of its own, compare every hash, and remove it again',
    access,
    log: 'backup.drill',
    body: z.strictObject({ backupId: z.string().max(64) }),
    reply: z.object({}),
    errors: ['PARAMETER_INVALID'],
  }),
}
