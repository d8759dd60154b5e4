/** Features an edition switches on or off. The server enforces them, the page shows them. */
export const FEATURES = [
  'p2p',
  'delivery',
  'review',
  'quarantine',
  'preview',
  'watermark',
  'sync',
  'customisation',
  'nodes',
  'eventNotifications',
  'auditPolicies',
  'addressLists',
  'antivirus',
  'groupSpaces',
  'directoryLogin',
] as const
export type Feature = (typeof FEATURES)[number]

/** Numbers a licence may override; null = unlimited. */
export interface EditionNumbers {
  readonly users: number | null
  /** Clients connected at the same time. */
  readonly clients: number | null
  /** Of all transfers together, in each direction. */
  readonly bandwidthMbps: number | null
  /** Bytes that may be transferred in all, up and down. */
  readonly trafficBytes: number | null
}

export interface Edition extends EditionNumbers {
  /** The identifier that clients know. */
  readonly wireId: 'raysync' | 'raysync_traffic' | 'raysync_pro' | 'raysync_enterprise' | 'raysync_trial'
  readonly features: readonly Feature[]
  /** Transfers use up bytes that the licence counts. */
  readonly countsTraffic: boolean
}

const UNLIMITED = { users: null, clients: null, bandwidthMbps: null, trafficBytes: null } as const

/** The editions and what each includes. The trial has every feature for one user, for as long as its licence says. */
export const EDITIONS = {
  free: { ...UNLIMITED, wireId: 'raysync', users: 1, clients: 3, features: [], countsTraffic: false },
  traffic: { ...UNLIMITED, wireId: 'raysync_traffic', users: 3, features: ['p2p'], countsTraffic: true },
  pro: { ...UNLIMITED, wireId: 'raysync_pro', users: 10, features: ['p2p'], countsTraffic: false },
  enterprise: { ...UNLIMITED, wireId: 'raysync_enterprise', features: FEATURES, countsTraffic: false },
  trial: { ...UNLIMITED, wireId: 'raysync_trial', users: 1, clients: 3, features: FEATURES, countsTraffic: false },
} as const satisfies Readonly<Record<string, Edition>>

export type EditionName = keyof typeof EDITIONS
export const EDITION_NAMES = ['free', 'traffic', 'pro', 'enterprise', 'trial'] as const satisfies readonly EditionName[]

/** The edition of a new installation, so that every feature can be tried. */
export const DEFAULT_EDITION: EditionName = 'enterprise'

/** The edition with the numbers that a licence sets instead of its own. */
export function editionProfile(name: EditionName, licensed: Partial<EditionNumbers> = {}): Edition {
  return { ...EDITIONS[name], ...licensed }
}

/** The smallest edition that includes a feature. */
export function leastEditionWith(feature: Feature): EditionName {
  return EDITION_NAMES.find((name) => hasFeature(EDITIONS[name], feature)) ?? DEFAULT_EDITION
}

export function hasFeature(edition: Pick<Edition, 'features'>, feature: Feature): boolean {
  return edition.features.includes(feature)
}

/** Whether one more is allowed. Null: no limit. */
export function fitsLimit(limit: number | null, present: number): boolean {
  return limit === null || present < limit
}
