import { ApiError } from '@godwit/contract/wire/api-error'
import { ERRORS } from '@godwit/contract/errors/catalogue'
import { LIMITS } from '@godwit/contract/limits'
import { nameFault, normaliseName } from '@godwit/contract/names'
import { joinPath } from '../../../lib/paths.ts'
import { setItemState, type UploadJob } from './upload-job.ts'

const utf8 = new TextEncoder()

/**
 * Files whose names the server would refuse fail by themselves before anything is asked: one `a:b.txt` from another system
 * must not hold up the ten thousand files beside it.
 */
export function refuseNames(job: UploadJob): void {
  for (const item of job.items) {
    if (item.state !== 'pending') continue
    const error = pathFailure(job.folder, item.source.relativePath)
    if (error === undefined) continue
    item.error = error
    setItemState(job, item, 'failed')
  }
}

/** Why no server takes the path. */
export function pathFailure(folder: string, relativePath: string): ApiError | undefined {
  const names = relativePath.split('/').map(normaliseName)
  const fault = names.map(nameFault).find((each) => each !== undefined)
  if (fault !== undefined) return new ApiError({ code: ERRORS.NAME_INVALID.wire, message: '', data: { fault } })
  // The path counts without the slash in front.
  const length = utf8.encode(joinPath(folder, names.join('/'))).length - 1
  return length > LIMITS.pathMaxBytes ? new ApiError({ code: ERRORS.PATH_TOO_LONG.wire, message: '' }) : undefined
}
