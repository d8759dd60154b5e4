import { defineFeature, type Feature } from '../../kernel/feature.ts'
import { LICENCE_SETTINGS } from './licence.settings.ts'

export function licenceFeature(): Feature {
  return defineFeature({ name: 'licence', settings: LICENCE_SETTINGS })
}
