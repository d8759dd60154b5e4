import type { AuthProvider, ProviderSource, SamlSettings } from '@godwit/contract'
import { DEFAULT_PERMISSION, wirePermission } from '@godwit/contract/permissions'
import { ON } from '../../../ui/form/index.ts'
import type { CommonValues } from './provider-bodies.ts'
import { formGroups, namedGroups } from './provider-values.ts'

const ATTRIBUTES = ['account', 'name', 'email', 'phone', 'department'] as const
export type SamlAttributeName = (typeof ATTRIBUTES)[number]

export type SamlField =
  | keyof CommonValues
  | 'metadataUrl'
  | 'metadata'
  | 'ca'
  | 'trustEmail'
  | 'groupsAttribute'
  | 'groups'
  | 'nameZH'
  | 'nameEN'
  | 'permission'
  | 'createAtSignIn'
  | SamlAttributeName
export type SamlValues = Readonly<Record<SamlField, string>>

type SamlSource = Extract<ProviderSource, { readonly kind: 'saml' }>

export const NEW_SAML: SamlValues = {
  ...{ title: '', enabled: ON, secret: '', metadataUrl: '', metadata: '', ca: '' },
  ...{ account: '', name: 'displayName', email: 'mail', phone: '', department: '', groupsAttribute: '' },
  ...{ trustEmail: '', groups: '[]', nameZH: '', nameEN: '' },
  ...{ permission: String(wirePermission(DEFAULT_PERMISSION)), createAtSignIn: ON },
}

/** @returns undefined for a provider of another kind */
export function samlValuesOf({ name, enabled, source }: AuthProvider): SamlValues | undefined {
  if (source.kind !== 'saml') return undefined
  const { metadataUrl, metadata, ca, attributes, trustEmail, groups, nameZH, nameEN, permission } = source.settings
  const { groups: groupsAttribute, ...others } = attributes
  return {
    ...others,
    ...{ title: name, enabled: enabled ? ON : '', secret: '', metadataUrl, metadata, ca, groupsAttribute },
    ...{ trustEmail: trustEmail ? ON : '', groups: formGroups(groups), nameZH, nameEN },
    ...{ permission: String(permission), createAtSignIn: source.settings.createAtSignIn ? ON : '' },
  }
}

export function samlSourceOf(values: SamlValues): SamlSource {
  const trimmed = (name: SamlField): string => values[name].trim()
  const attributes = Object.fromEntries(ATTRIBUTES.map((name) => [name, trimmed(name)]))
  return {
    kind: 'saml',
    settings: {
      ...{ metadataUrl: trimmed('metadataUrl'), metadata: trimmed('metadata'), ca: trimmed('ca') },
      attributes: { ...attributes, groups: trimmed('groupsAttribute') } as SamlSettings['attributes'],
      trustEmail: values.trustEmail === ON,
      ...{ groups: namedGroups(values.groups), nameZH: trimmed('nameZH'), nameEN: trimmed('nameEN') },
      permission: Number(values.permission),
      createAtSignIn: values.createAtSignIn === ON,
    },
  }
}
