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
}

export interface Edition extends EditionNumbers {
  /** The identifier that clients know. The traffic edition is the free product with a traffic licence and has none of its own. */
  readonly wireId: 'raysync' | 'raysync_pro' | 'raysync_enterprise'
  readonly features: readonly Feature[]
  /** Transfers use up bytes that the licence counts. */
  readonly countsTraffic: boolean
}

/** The four editions and what each includes. */
export const EDITIONS = {
  free: { wireId: 'raysync', users: 1, clients: 3, features: [], countsTraffic: false },
  traffic: { wireId: 'raysync', users: 3, clients: null, features: ['p2p'], countsTraffic: true },
  pro: { wireId: 'raysync_pro', users: 10, clients: null, features: ['p2p'], countsTraffic: false },
  enterprise: {
    wireId: 'raysync_enterprise',
    users: null,
    clients: null,
    features: FEATURES,
    countsTraffic: false,
  },
} as const satisfies Readonly<Record<string, Edition>>

export type EditionName = keyof typeof EDITIONS
export const EDITION_NAMES = ['free', 'traffic', 'pro', 'enterprise'] as const satisfies readonly EditionName[]

/** The edition of a new installation, so that every feature can be tried. */
export const DEFAULT_EDITION: EditionName = 'enterprise'

/** The edition with the numbers that a licence sets instead of its own. */
export function editionProfile(name: EditionName, licensed: Partial<EditionNumbers> = {}): Edition {
  return { ...EDITIONS[name], ...licensed }
}

export function hasFeature(edition: Pick<Edition, 'features'>, feature: Feature): boolean {
  return edition.features.includes(feature)
}

/** Whether one more is allowed. Null: no limit. */
export function fitsLimit(limit: number | null, present: number): boolean {
  return limit === null || present < limit
}
