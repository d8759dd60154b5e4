import { fileOperations } from '@godwit/contract'
import { operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import { favoritesIn, forgetRecent, marked, markFavorites, type MarksDeps } from './marks.service.ts'
import { markSubscriptions } from './marks.subscribers.ts'

/** What people find again quickly: their favorites, and what they worked with lately. */
export function marksFeature(deps: MarksDeps): Feature {
  return defineFeature({
    name: 'marks',
    operations: [
      operation(fileOperations.favorites, (ctx, input) => marked(deps, ctx, { ...input, kind: 'favorite' })),
      operation(fileOperations.recent, (ctx, input) => marked(deps, ctx, { ...input, kind: 'recent' })),
      operation(fileOperations.favoritesIn, (ctx, input) => favoritesIn(deps, ctx, input)),
      operation(fileOperations.mark, async (ctx, input) => {
        await markFavorites(deps, ctx, input)
        return {}
      }),
      operation(fileOperations.forgetRecent, async (ctx) => {
        await forgetRecent(deps, ctx)
        return {}
      }),
    ],
    on: markSubscriptions(),
  })
}
