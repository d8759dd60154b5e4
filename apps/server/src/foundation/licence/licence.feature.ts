import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Settings } from '../settings/index.ts'
import { remindOfLicence, watchLicence, type Licence } from './licence.service.ts'
import { LICENCE_SETTINGS } from './licence.settings.ts'
import { createTrafficMeter, type TrafficMeter } from './traffic-meter.ts'

export interface SiteLicence extends Licence {
  readonly meter: Pick<TrafficMeter, 'take'>
}

/** Another node's licence, and one installed at the shell, is seen at the latest after this long. */
const LOOK_MS = 1_000
const REMIND_MS = 3_600_000

/** The licence of the installation: what its edition includes, and how much. */
export function licenceFeature(
  { config, ...kernel }: Kernel,
  { settings }: { readonly settings: Settings },
): FeatureWith<SiteLicence> {
  const deps = { ...kernel, settings, issuerKey: config['licence.issuerKey'] }
  const licence = watchLicence(deps)
  const meter = createTrafficMeter(kernel)
  return defineFeature<SiteLicence>({
    name: 'licence',
    api: { ...licence, meter },
    settings: LICENCE_SETTINGS,
    every: [
      { name: 'watch', everyMs: LOOK_MS, work: () => licence.refresh() },
      { name: 'settle', everyMs: LOOK_MS, work: () => meter.settle() },
      { name: 'remind', everyMs: REMIND_MS, onOneNode: true, work: () => remindOfLicence(deps) },
    ],
    async start() {
      await licence.refresh()
    },
    stop: () => meter.stop(),
  })
}
