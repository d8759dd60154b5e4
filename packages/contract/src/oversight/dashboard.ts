import { z } from 'zod'
import { listQuery, listReply } from '../identity/console-lists.ts'
import { CHECKLIST_STEPS } from './dashboard-limits.ts'
import { defineRoute } from '../wire/route.ts'

const sample = z.object({
  /** Unix milliseconds. */
  at: z.int(),
  /** Share of all processors, 0 to 1: of the machine, and of the server's process. */
  cpu: z.number(),
  processCpu: z.number(),
  /** Bytes in use, of those that the server may use. */
  memoryBytes: z.int(),
  memoryTotalBytes: z.int(),
  processMemoryBytes: z.int(),
  /** Bytes a second through all network cards; null where the system does not say. */
  receivedPerSecond: z.number().nullable(),
  sentPerSecond: z.number().nullable(),
  /** Open connections. */
  connections: z.int(),
})
export type NodeSample = z.infer<typeof sample>

const node = z.object({
  id: z.string(),
  /** Name of its machine. */
  host: z.string(),
  version: z.string(),
  runtime: z.string(),
  system: z.string(),
  processors: z.int(),
  startedAt: z.int(),
  /** The newest one. */
  sample,
})
export type DashboardNode = z.infer<typeof node>

const health = z.object({
  name: z.string(),
  /** `off`: not set up. */
  state: z.enum(['ok', 'off', 'failed']),
  /** Name of the error; '' when all is well. */
  error: z.string(),
  /** In the language of the request; '' when all is well. */
  message: z.string(),
})
export type HealthItem = z.infer<typeof health>

const dashboardStorage = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.string(),
  /** Null where the storage has no limit, or does not answer. */
  freeBytes: z.number().nullable(),
  totalBytes: z.number().nullable(),
  error: z.string(),
  message: z.string(),
})
export type DashboardStorage = z.infer<typeof dashboardStorage>

const failedJob = z.object({
  id: z.string(),
  kind: z.string(),
  /** Account it worked for; '' for the server itself. */
  owner: z.string(),
  attempts: z.int(),
  /** Name of the error; '' when it is not known. */
  error: z.string(),
  message: z.string(),
  createdAt: z.int(),
  failedAt: z.int(),
})
export type FailedJob = z.infer<typeof failedJob>

const parkedEvent = z.object({
  subscriber: z.string(),
  position: z.int(),
  type: z.string(),
  /** What its subscriber threw, in English, as the log has it. */
  reason: z.string(),
  attempts: z.int(),
  createdAt: z.int(),
  parkedAt: z.int(),
})
export type ParkedEventRow = z.infer<typeof parkedEvent>

const checklist = z.object({
  steps: z.array(z.object({ name: z.enum(CHECKLIST_STEPS), isDone: z.boolean() })),
  /** By the caller, for themselves. */
  isDismissed: z.boolean(),
})
export type Checklist = z.infer<typeof checklist>

const backupSummary = z.object({
  isOn: z.boolean(),
  state: z.enum(['', 'running', 'done', 'failed']),
  /** Of the newest one that was made. */
  lastDoneAt: z.int().nullable(),
  drillState: z.enum(['', 'running', 'passed', 'failed']),
  drilledAt: z.int().nullable(),
})
export type DashboardBackup = z.infer<typeof backupSummary>

const pages = z.object({ page: listQuery.page, size: listQuery.size })
const control = { right: 'server.control' } as const

export const dashboardRoutes = {
  now: defineRoute({
    method: 'GET',
    path: '/api/admin/dashboard',
    summary: 'How the server is: its nodes, their last hour, storages, health, failed jobs and parked events',
    access: { right: 'statistics.view' },
    query: z.object({
      /** Whose samples; default the first of the list. */
      node: z.string().max(64).optional(),
      /** Only samples after this moment. */
      since: z.coerce.number().int().min(0).default(0),
    }),
    reply: z.object({
      at: z.int(),
      nodes: z.array(node),
      /** Oldest first, at most an hour of them. */
      samples: z.array(sample),
      /** Accounts that are signed in and active. */
      online: z.int(),
      health: z.array(health),
      /** Null without the right `storages.view`. */
      storages: z.array(dashboardStorage).nullable(),
      /** Null without the right `server.control`. */
      failedJobs: z.int().nullable(),
      parkedEvents: z.int().nullable(),
      /** Null without the right `backup.run`. */
      backup: backupSummary.nullable(),
    }),
    errors: [],
  }),
  checklist: defineRoute({
    method: 'GET',
    path: '/api/admin/dashboard/checklist',
    summary: 'What a new site still needs, found from its state',
    access: { right: 'settings.view' },
    reply: checklist,
    errors: [],
  }),
  dismissChecklist: defineRoute({
    method: 'POST',
    path: '/api/admin/dashboard/checklist/dismiss',
    summary: 'Hide the checklist from oneself, or show it again',
    access: { right: 'settings.view' },
    log: 'checklist.dismiss',
    body: z.strictObject({ isDismissed: z.boolean() }),
    reply: checklist,
    errors: [],
  }),
  failedJobs: defineRoute({
    method: 'GET',
    path: '/api/admin/jobs/failed',
    summary: 'Jobs that ended without having done their work, the newest first',
    access: control,
    query: pages,
    reply: listReply(failedJob),
    errors: [],
  }),
  rerunJobs: defineRoute({
    method: 'POST',
    path: '/api/admin/jobs/rerun',
    summary: 'Let failed jobs run once more from where they stopped',
    access: control,
    log: 'job.rerun',
    body: z.strictObject({ jobIds: z.array(z.string().max(64)).min(1).max(100) }),
    reply: z.object({ rerun: z.int() }),
    errors: [],
  }),
  parkedEvents: defineRoute({
    method: 'GET',
    path: '/api/admin/events/parked',
    summary: 'Events that a subscriber could not handle and that were put aside, in order of delivery',
    access: control,
    query: pages,
    reply: listReply(parkedEvent),
    errors: [],
  }),
  retryEvents: defineRoute({
    method: 'POST',
    path: '/api/admin/events/retry',
    summary: 'Deliver parked events again',
    access: control,
    log: 'event.retry',
    body: z.strictObject({
      events: z
        .array(z.strictObject({ subscriber: z.string().max(128), position: z.int().min(0) }))
        .min(1)
        .max(100),
    }),
    reply: z.object({ retried: z.int() }),
    errors: [],
  }),
}
export type Dashboard = z.infer<(typeof dashboardRoutes)['now']['reply']>
