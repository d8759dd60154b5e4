import { fileOperations } from '@godwit/contract'
import { operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import { activityOf, type ActivityDeps } from './activity.service.ts'
import { activitySubscriptions } from './activity.subscribers.ts'

/** What happened to files and folders, and who did it, written down from their events. */
export function activityFeature(deps: ActivityDeps): Feature {
  return defineFeature({
    name: 'activity',
    operations: [operation(fileOperations.activity, (ctx, input) => activityOf(deps, ctx, input))],
    on: activitySubscriptions(),
  })
}
