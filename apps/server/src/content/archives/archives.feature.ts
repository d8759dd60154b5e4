import { fileOperations } from '@godwit/contract'
import { loadJobPrincipal } from '../../identity/principals/index.ts'
import { operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { FileProgress } from '../files/index.ts'
import type { ArchivesDeps } from './archive-uploads.ts'
import { runPack, startPack, type PackPayload } from './pack.ts'
import { runUnpack, startUnpack, type UnpackPayload } from './unpack.ts'

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly pack: { readonly payload: PackPayload; readonly progress: FileProgress }
    readonly unpack: { readonly payload: UnpackPayload; readonly progress: FileProgress }
  }
}

/** Packs entries into a zip on the server, and unpacks one. */
export function archivesFeature(kernel: Kernel, given: Pick<ArchivesDeps, 'files' | 'quotas' | 'intake'>): Feature {
  const deps: ArchivesDeps = { ...kernel, ...given, principalOf: (job) => loadJobPrincipal(kernel, job) }
  return defineFeature({
    name: 'archives',
    operations: [
      operation(fileOperations.pack, (ctx, request) => startPack(deps, ctx, request)),
      operation(fileOperations.unpack, (ctx, request) => startUnpack(deps, ctx, request)),
    ],
    jobs: {
      pack: (job, run) => runPack(deps, job, run),
      unpack: (job, run) => runUnpack(deps, job, run),
    },
  })
}
