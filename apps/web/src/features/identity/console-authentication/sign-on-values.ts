import type { AuthProvider, ProviderSource } from '@godwit/contract'
import { DEFAULT_PERMISSION, wirePermission } from '@godwit/contract/permissions'
import { ON } from '../../../ui/form/index.ts'
import type { CommonValues } from './provider-bodies.ts'
import { formGroups, namedGroups } from './provider-values.ts'

const CLAIMS = ['account', 'name', 'email', 'phone', 'department'] as const
export type ClaimName = (typeof CLAIMS)[number]

export type SignOnField =
  | keyof CommonValues
  | 'issuer'
  | 'clientId'
  | 'scopes'
  | 'ca'
  | 'trustEmail'
  | 'groupsClaim'
  | 'groups'
  | 'nameZH'
  | 'nameEN'
  | 'permission'
  | 'createAtSignIn'
  | ClaimName
export type SignOnValues = Readonly<Record<SignOnField, string>>

export type SignOnSource = Extract<ProviderSource, { readonly kind: 'oidc' }>

export const NEW_SIGN_ON: SignOnValues = {
  ...{ title: '', enabled: ON, issuer: '', clientId: '', secret: '', scopes: 'openid profile email', ca: '' },
  ...{ account: 'preferred_username', name: 'name', email: 'email', phone: '', department: '', groupsClaim: 'groups' },
  ...{ trustEmail: '', groups: '[]', nameZH: '', nameEN: '' },
  ...{ permission: String(wirePermission(DEFAULT_PERMISSION)), createAtSignIn: ON },
}

/** @returns undefined for a provider of another kind */
export function signOnValuesOf({ name, enabled, source }: AuthProvider): SignOnValues | undefined {
  if (source.kind !== 'oidc') return undefined
  const { issuer, clientId, scopes, ca, claims, trustEmail, groups, nameZH, nameEN, permission } = source.settings
  const { groups: groupsClaim, ...others } = claims
  return {
    ...others,
    ...{ title: name, enabled: enabled ? ON : '', secret: '', issuer, clientId, scopes, ca, groupsClaim },
    ...{ trustEmail: trustEmail ? ON : '', groups: formGroups(groups), nameZH, nameEN },
    ...{ permission: String(permission), createAtSignIn: source.settings.createAtSignIn ? ON : '' },
  }
}

export function signOnSourceOf(values: SignOnValues): SignOnSource {
  const trimmed = (name: SignOnField): string => values[name].trim()
  const claims = Object.fromEntries(CLAIMS.map((name) => [name, trimmed(name)])) as Record<ClaimName, string>
  return {
    kind: 'oidc',
    settings: {
      ...{ issuer: trimmed('issuer'), clientId: trimmed('clientId'), scopes: trimmed('scopes'), ca: trimmed('ca') },
      claims: { ...claims, groups: trimmed('groupsClaim') },
      trustEmail: values.trustEmail === ON,
      groups: namedGroups(values.groups),
      ...{ nameZH: trimmed('nameZH'), nameEN: trimmed('nameEN') },
      permission: Number(values.permission),
      createAtSignIn: values.createAtSignIn === ON,
    },
  }
}
