import type { Feature } from '../../../lib/feature.ts'
import { UPLOAD_ACTIONS } from './upload-actions.ts'

export const feature: Feature = { pages: [], menu: [], actions: UPLOAD_ACTIONS }
