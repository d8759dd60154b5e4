import type { ErrorTexts } from '../error-message.ts'
import { detailedErrors } from './detailed-errors.ts'
import { errors } from './errors.ts'
import * as faults from './faults.ts'

export const errorTexts: ErrorTexts = {
  errors,
  detailed: detailedErrors,
  names: faults.nameFaultTexts,
  passwords: faults.passwordFaultTexts,
  groupFull: faults.groupFull,
  smtpReasons: faults.smtpReasonTexts,
  licences: faults.licenceFaultTexts,
  images: faults.imageFaultTexts,
  unknown: faults.unknownError,
  unavailable: faults.serverUnavailable,
}
