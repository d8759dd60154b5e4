import { MiB } from '@godwit/base'
import { createDocumentTexts, textFormatOf } from '../../foundation/document-texts/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { rootKeyOf, type Contents, type EntryWatch } from '../search/index.ts'
import { findTexts } from './find-texts.ts'
import { FULL_TEXT_SETTINGS } from './full-text.settings.ts'
import { VERSION, workOnTexts, type TextWorkDeps } from './full-text.work.ts'
import { textPlaces } from './places.store.ts'

export interface FullTextDeps {
  readonly settings: Settings
  readonly storages: Storages
}

/** A new document waits at most this long for its turn. */
const WORK_MS = 2_000

export interface FullText {
  readonly contents: Contents
  readonly watch: EntryWatch
}

/** Finds documents by their words, where the site wants it. */
export function fullTextFeature(kernel: Kernel, { settings, storages }: FullTextDeps): FeatureWith<FullText> {
  const { db, clock, log } = kernel
  const texts = createDocumentTexts({ log })
  const wanted = async () => {
    const { 'search.contents': isOn, 'search.contentsMiB': limit } = await settings.of(FULL_TEXT_SETTINGS)
    return { isOn: isOn === 1, limitBytes: limit * MiB }
  }
  const work: TextWorkDeps = { db, clock, log, texts, wanted, storages, rootKeyOf: (place) => rootKeyOf(db, place) }
  return defineFeature({
    name: 'full-text',
    api: { contents: createContents(db, async () => (await wanted()).isOn), watch: createEntryWatch() },
    settings: FULL_TEXT_SETTINGS,
    every: [{ name: 'read', everyMs: WORK_MS, onOneNode: true, work: (signal) => workOnTexts(work, signal) }],
    stop: async () => texts.stop(),
  })
}

export function createContents(db: Db, isOn: () => Promise<boolean>): Contents {
  return {
    isOn,
    async startOf(rootId) {
      const place = await textPlaces.of(db, rootId)
      return place?.version === VERSION ? Number(place.next_slot) : 0
    },
    look: (wanted) => findTexts(db, wanted),
    async unread(rootIds) {
      const places = await textPlaces.among(db, rootIds)
      const isFilled = places.every(
        (place) => place.version === VERSION && Number(place.filled_n) >= Number(place.fill_to),
      )
      return isFilled && places.length === rootIds.length ? textPlaces.waiting(db, rootIds) : undefined
    },
  }
}

/** Puts what changes into the queue of its place, if that has one. */
export function createEntryWatch(): EntryWatch {
  return {
    async changed(tx, rootId, entries) {
      const ns = entries.filter(({ ending }) => textFormatOf(ending) !== undefined).map(({ n }) => n)
      if (ns.length > 0 && (await textPlaces.of(tx, rootId)) !== undefined) await textPlaces.enqueue(tx, rootId, ns)
    },
  }
}
