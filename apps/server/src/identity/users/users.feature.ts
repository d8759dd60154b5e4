import type { Licence } from '../../foundation/licence/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { push } from '../../kernel/push.ts'
import type { UsersDeps } from './users.service.ts'
import { PASSWORD_SETTINGS, refuseWeak } from './weak-passwords.ts'

export function usersFeature(
  { config, ...kernel }: Kernel,
  { settings, licence }: { readonly settings: Settings; readonly licence: Licence },
): FeatureWith<UsersDeps> {
  return defineFeature({
    name: 'users',
    api: {
      ...kernel,
      passwordPreset: config['security.passwordPreset'],
      refuseWeak: refuseWeak(settings),
      userLimit: () => licence.current().users,
    },
    settings: PASSWORD_SETTINGS,
    push: [push('account.changed', { signal: 'user.changed', to: ({ userId }) => userId, message: () => ({}) })],
  })
}
