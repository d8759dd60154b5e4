import { spaceMoveRoutes } from '@godwit/contract'
import { loggedEndpoint } from '../../foundation/operation-log/index.ts'
import type { RunningStorages } from '../../foundation/storages/index.ts'
import { PROGRAM_FOLDER } from '../../kernel/config/index.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { runSpaceMove } from './space-moves.job.ts'
import {
  beginSpaceMove,
  cancelSpaceMove,
  freeSpaceMove,
  pauseSpaceMove,
  switchSpace,
  viewSpaceMove,
} from './space-moves.service.ts'

/** Copies spaces to other storages while the server runs, and has them switched by a restart, or by a command. */
export function relocationsFeature(kernel: Kernel, { storages }: { readonly storages: RunningStorages }): Feature {
  const { config, db, dialect, clock, random, ids, bus, vault, queue, locks } = kernel
  const place = { data: config.data, reserveBytes: config['storage.reserveBytes'], program: PROGRAM_FOLDER }
  const deps = { ...{ db, dialect, clock, random, ids, bus, queue, locks, storages }, vault: () => vault, ...place }
  const log = { db, clock }
  return defineFeature({
    name: 'relocations',
    endpoints: [
      endpoint(spaceMoveRoutes.view, (_ctx, { params }) => viewSpaceMove(deps, params.spaceId)),
      loggedEndpoint(log, spaceMoveRoutes.begin, async ({ principal }, { params, body }, record) => {
        await beginSpaceMove(deps, { userId: principal.id, record }, { ...params, ...body })
        return {}
      }),
      loggedEndpoint(log, spaceMoveRoutes.pause, async ({ principal }, { params }, record) => {
        await pauseSpaceMove(deps, { userId: principal.id, record }, params.spaceId)
        return {}
      }),
      loggedEndpoint(log, spaceMoveRoutes.switch, async ({ principal }, { params }, record) => {
        await switchSpace(deps, { userId: principal.id, record }, params.spaceId)
        return {}
      }),
      loggedEndpoint(log, spaceMoveRoutes.cancel, async ({ principal }, { params }, record) => {
        await cancelSpaceMove(deps, { userId: principal.id, record }, params.spaceId)
        return {}
      }),
      loggedEndpoint(log, spaceMoveRoutes.free, async ({ principal }, { params }, record) => {
        await freeSpaceMove(deps, { userId: principal.id, record }, params.spaceId)
        return {}
      }),
    ],
    jobs: { 'space.move': (job, run) => runSpaceMove(deps, job as never, run) },
    // It copies for days: nobody's own jobs wait behind it.
    jobLane: 'space-moves',
  })
}
