import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RouteSpec } from '@godwit/contract'
import type { Ctx, OwnCredentials } from './context.ts'
import type { Endpoint, Operation, RawEndpoint } from './endpoint.ts'
import type { DurableEventType, Subscription } from './events/index.ts'
import type { Admission, Push, Watch } from './push.ts'
import type { JobHandlers } from './queue/index.ts'
import type { Periodic } from './schedule.ts'
import type { SettingGroup } from './setting.ts'

/** What a feature does with durable events. Names of subscribers are unique among features: `notices.new-address`. */
export type Subscriptions = { readonly [Type in DurableEventType]?: Subscription<Type> }

/** Something that the server needs to do its work. */
export interface Check {
  /** As `/readyz` names it when it fails. */
  readonly name: string
  /** Resolves when all is well, or throws with the reason. */
  readonly run: () => Promise<void>
}

/** Takes over connections of one path from HTTP. */
export interface UpgradeDoor {
  readonly path: string
  readonly upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Answers that a page gets with its HTML, so that its first view waits for no call. */
export interface PageAnswers {
  /** First part of the addresses of the page. */
  readonly under: string
  /** @returns those that the page need not ask for; none when this throws. @param path that the browser asks for */
  readonly answers: (ctx: Ctx, path: string) => Promise<readonly GivenAnswer[]>
}

export interface GivenAnswer {
  readonly spec: Pick<RouteSpec, 'path' | 'reply'>
  readonly data: unknown
}

/**
 * One part of the product as a value: what it offers, what it reacts to and what it does by itself. Nothing of it runs
 * before `runFeatures` mounts it.
 */
export interface Feature {
  /** Unique; the name of its folder. */
  readonly name: string
  /** JSON routes. */
  readonly endpoints?: readonly Endpoint[]
  /** Operations on files, served by every carrier of them. */
  readonly operations?: readonly Operation[]
  /** Routes that stream bytes. */
  readonly raw?: readonly RawEndpoint[]
  /** Durable events it reacts to. */
  readonly on?: Subscriptions
  /** What open pages are shown by themselves. */
  readonly push?: readonly Push[]
  /** What open pages may watch. */
  readonly watches?: readonly Watch[]
  /** Bearer credentials that it issues and recognizes. */
  readonly credentials?: OwnCredentials
  /** Checks a sign-in at a socket. */
  readonly admit?: Admission
  /** Jobs it does. */
  readonly jobs?: JobHandlers
  /** Its jobs never wait for those of other lanes. */
  readonly jobLane?: string
  /** What it repeats. */
  readonly every?: readonly Periodic[]
  readonly settings?: SettingGroup
  readonly checks?: readonly Check[]
  readonly upgrades?: readonly UpgradeDoor[]
  /** Answers that pages are given with their HTML. */
  readonly pageAnswers?: readonly PageAnswers[]
  /** Runs in the order of the list, when everything of all features is mounted. */
  readonly start?: (all: Declared) => Promise<void>
  /** Runs in reverse order; also after a start that failed further down the list. */
  readonly stop?: () => Promise<void>
}

/** Everything that all features declared, for those that carry it: HTTP and the sockets. */
export interface Declared {
  readonly endpoints: readonly Endpoint[]
  readonly operations: readonly Operation[]
  readonly raw: readonly RawEndpoint[]
  readonly push: readonly Push[]
  readonly watches: readonly Watch[]
  readonly credentials: readonly OwnCredentials[]
  readonly admissions: readonly Admission[]
  readonly settings: readonly SettingGroup[]
  readonly checks: readonly Check[]
  readonly upgrades: readonly UpgradeDoor[]
  readonly pageAnswers: readonly PageAnswers[]
}

/** A feature with what others are given of it. */
export interface FeatureWith<Api> extends Feature {
  readonly api: Api
}

export function defineFeature<Api>(feature: FeatureWith<Api>): FeatureWith<Api>
export function defineFeature(feature: Feature): Feature
export function defineFeature(feature: Feature): Feature {
  return feature
}

/** The features of a server in start order. */
export interface FeatureList {
  readonly all: readonly Feature[]
  /** Appends one. @returns what it gives to the ones after it */
  readonly add: AddFeature
}

export interface AddFeature {
  <Api>(feature: FeatureWith<Api>): Api
  (feature: Feature): void
}

export function featureList(): FeatureList {
  const all: Feature[] = []
  return {
    all,
    add<Api>(feature: Feature & { readonly api?: Api }) {
      all.push(feature)
      return feature.api as Api
    },
  }
}
