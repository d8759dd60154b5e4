import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { IntakeApi } from '../intake/index.ts'
import { UPLOAD_SETTINGS } from './uploads.settings.ts'
import { PackMemory } from './pack-memory.ts'
import { uploadEndpoints, uploadRawEndpoints } from './uploads.routes.ts'

export function uploadsFeature({ memory }: Pick<Kernel, 'memory'>, { intake, deps }: IntakeApi): Feature {
  return defineFeature({
    name: 'uploads',
    endpoints: uploadEndpoints(intake),
    settings: UPLOAD_SETTINGS,
    raw: uploadRawEndpoints({ intake, log: deps.log, memory: new PackMemory(memory.packBytes) }),
  })
}
