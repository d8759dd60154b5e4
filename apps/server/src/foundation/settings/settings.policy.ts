import { SETTING_SCOPES, type SettingScope, type SettingSpec } from '../../kernel/setting.ts'
import type { SettingPlace } from './settings.store.ts'

/** Where a value is looked for: the account that asks, its group, its space. All may be missing. */
export interface SettingTarget {
  readonly spaceId?: number
  readonly groupId?: number
  readonly userId?: string
}

export type SettingChanger =
  /** Whoever may call the command line. */
  { readonly kind: 'operator' } | { readonly kind: 'account'; readonly id: string; readonly isAdmin: boolean }

/** The places that decide for a target, from the narrowest to the site. */
export function placesOf({ spaceId, groupId, userId }: SettingTarget): SettingPlace[] {
  const ids: Readonly<Record<SettingScope, string | undefined>> = {
    user: userId,
    group: groupId?.toString(),
    space: spaceId?.toString(),
    site: '',
  }
  return SETTING_SCOPES.toReversed().flatMap((scope) => {
    const scopeId = ids[scope]
    return scopeId === undefined ? [] : { scope, scopeId }
  })
}

/** Whether a place of this scope may have a value of its own. */
export function takesScope({ scope: narrowest }: Pick<SettingSpec, 'scope'>, scope: SettingScope): boolean {
  return SETTING_SCOPES.indexOf(scope) <= SETTING_SCOPES.indexOf(narrowest)
}

export function mayChange(
  { right }: Pick<SettingSpec, 'right'>,
  { scope, scopeId }: SettingPlace,
  by: SettingChanger,
): boolean {
  if (by.kind === 'operator' || by.isAdmin) return true
  return right === 'user' && scope === 'user' && scopeId === by.id
}
