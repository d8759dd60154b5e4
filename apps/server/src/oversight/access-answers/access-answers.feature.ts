import { adminAccessRoutes } from '@godwit/contract'
import { webTransfers } from '../../content/spaces/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { answerAccess, type AccessAnswersDeps } from './access-answers.service.ts'

type Given = Omit<AccessAnswersDeps, 'db' | 'clock' | 'requireWeb'> & { readonly settings: Settings }

/** Why somebody can or cannot do something. */
export function accessAnswersFeature(kernel: Kernel, { settings, ...given }: Given): Feature {
  const deps = { ...kernel, ...given, requireWeb: webTransfers({ ...kernel, settings }) }
  return defineFeature({
    name: 'access-answers',
    endpoints: [endpoint(adminAccessRoutes.ask, (_ctx, { params, query }) => answerAccess(deps, params.userId, query))],
  })
}
