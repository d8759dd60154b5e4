import { fileOperations } from '@godwit/contract'
import { operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { IntakeApi } from '../intake/index.ts'
import type { SealedBodies } from '../sealed-bodies/index.ts'
import { preflight } from './preflight.ts'
import { PackMemory } from './pack-memory.ts'
import { uploadEndpoints, uploadRawEndpoints } from './uploads.routes.ts'

export interface UploadsFeatureDeps extends IntakeApi {
  readonly sealed: SealedBodies
}

export function uploadsFeature(
  { memory }: Pick<Kernel, 'memory'>,
  { intake, deps, sealed }: UploadsFeatureDeps,
): Feature {
  return defineFeature({
    name: 'uploads',
    endpoints: uploadEndpoints(intake),
    operations: [operation(fileOperations.preflight, (ctx, input) => preflight(deps, ctx, input))],
    raw: uploadRawEndpoints({ intake, sealed, log: deps.log, memory: new PackMemory(memory.packBytes) }),
  })
}
