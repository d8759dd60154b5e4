import { describe, expect, it } from 'vitest'
import {
  ACCOUNT_TYPE,
  APPROVER_STATUS,
  APPROVER_TYPE,
  AUDIT_RESULT,
  canChangePassword,
  canTransferByClient,
  canTransferByWeb,
  compareUploadRecords,
  DELIVERY_FILTER,
  DELIVERY_STATUS,
  hasGroupFiles,
  LINK_ORDER_BY,
  LINK_STATUS,
  requiresEveryApprover,
  NEVER_EXPIRES,
  P2P_STATUS,
  PREVIEW_TYPES,
  previewKind,
  QUARANTINE_REASON,
  quarantineReason,
  reportedPaths,
  REVIEW_STATUS,
  SHARE_SOURCE_TYPE,
  SHARE_URL_TYPE,
  isShownAsFailed,
  STEP_MODE,
  SYNC_STATES,
  TASK_STATUS,
  TRANSFER_TYPE,
  UPLOAD_RECORD_STATUS,
  UPLOAD_TASK_STATE,
} from './index.ts'

describe('numbers of the specification on the wire', () => {
  it('account types: 2 normal, 4 domain, 5 email, 6 Linux, and beyond it 7 external, 8 OpenID Connect, 9 SAML', () => {
    expect(ACCOUNT_TYPE).toEqual({ normal: 2, domain: 4, email: 5, linux: 6, external: 7, oidc: 8, saml: 9, scim: 10 })
  })

  it('delivery status 0-9', () => {
    expect(Object.entries(DELIVERY_STATUS)).toEqual([
      ['created', 0],
      ['preparing', 1],
      ['preparationFailed', 2],
      ['reviewing', 3],
      ['reviewFailed', 4],
      ['inDelivery', 5],
      ['completed', 6],
      ['failed', 7],
      ['error', 8],
      ['blocked', 9],
    ])
  })

  it('review status 3, 4, 5; audit result 1, 2; approver status 0, 1, 2, 10; mode 1 needs everyone', () => {
    expect(REVIEW_STATUS).toEqual({ reviewing: 3, rejected: 4, approved: 5 })
    expect(AUDIT_RESULT).toEqual({ approved: 1, rejected: 2 })
    expect(APPROVER_STATUS).toEqual({ awaiting: 0, approved: 1, rejected: 2, triggered: 10 })
    expect(APPROVER_TYPE.admin).toBe(1)
    expect([STEP_MODE.all, STEP_MODE.any, 0, 7].map(requiresEveryApprover)).toEqual([true, false, false, false])
  })

  it('links: status 1 to 3, upload 0 and download 1, file 0, folder 1, files 2, order 1 to 4, 0 never expires', () => {
    expect(LINK_STATUS).toEqual({ normal: 1, expired: 2, canceled: 3 })
    expect(SHARE_URL_TYPE).toEqual({ upload: 0, download: 1 })
    expect(SHARE_SOURCE_TYPE).toEqual({ file: 0, folder: 1, files: 2 })
    expect(LINK_ORDER_BY).toEqual({ name: 1, createTime: 2, expiry: 3, status: 4 })
    expect(NEVER_EXPIRES).toBe(0)
  })

  it('upload records 0 to 4, task reports 0 and 1, tasks 0 to 2', () => {
    expect(UPLOAD_RECORD_STATUS).toEqual({
      uploading: 0,
      serverChecking: 1,
      pending: 2,
      uploadFailed: 3,
      uploaded: 4,
    })
    expect(UPLOAD_TASK_STATE).toEqual({ start: 0, end: 1 })
    expect(TASK_STATUS).toEqual({ completed: 0, incomplete: 1, failed: 2 })
  })

  it('point to point 0, 33 and 35; quarantine 0 is a virus; transfer type 0, 1, 2', () => {
    expect(P2P_STATUS).toEqual({ ready: 0, receivingOff: 33, deviceUnavailable: 35 })
    expect(QUARANTINE_REASON.virus).toBe(0)
    expect(TRANSFER_TYPE).toEqual({ both: 0, clientOnly: 1, webOnly: 2 })
  })

  it('sync tasks know all seventeen states', () => {
    expect(new Set(SYNC_STATES).size).toBe(17)
  })
})

describe('rules about states', () => {
  it('2, 7 and 8 show a delivery as failed', () => {
    expect(Object.values(DELIVERY_STATUS).filter(isShownAsFailed)).toEqual([2, 7, 8])
  })

  it('deliveries are filtered by five states only', () => {
    expect(DELIVERY_FILTER.map((name) => DELIVERY_STATUS[name])).toEqual([5, 3, 4, 6, 7])
  })

  it('everything but a virus is a sensitive word', () => {
    expect([0, 1, 2].map(quarantineReason)).toEqual(['virus', 'sensitiveWord', 'sensitiveWord'])
  })

  it('transfer type 1 keeps the browser out, 2 the client', () => {
    expect([0, 1, 2].map(canTransferByWeb)).toEqual([true, false, true])
    expect([0, 1, 2].map(canTransferByClient)).toEqual([true, true, false])
  })

  it('only normal accounts change their password, and only when the site allows it', () => {
    const types = Object.values(ACCOUNT_TYPE)
    expect(types.filter((type) => canChangePassword(type, 1))).toEqual([ACCOUNT_TYPE.normal])
    expect(types.filter((type) => canChangePassword(type, 0))).toEqual([])
  })

  it('Linux accounts have no group files', () => {
    expect(Object.values(ACCOUNT_TYPE).filter((type) => !hasGroupFiles(type))).toEqual([ACCOUNT_TYPE.linux])
  })

  it('upload records stand by status, then newest first', () => {
    const { uploading, uploaded } = UPLOAD_RECORD_STATUS
    const records = [
      { status: uploaded, createTime: 9 },
      { status: uploading, createTime: 1 },
      { status: uploading, createTime: 5 },
    ]
    expect(records.toSorted(compareUploadRecords)).toEqual([records[2], records[1], records[0]])
  })

  it('an upload report names the first five paths', () => {
    expect(reportedPaths(['a', 'b', 'c', 'd', 'e', 'f'])).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

describe('preview', () => {
  it('knows cad, image, office, video and pdf by the ending, whatever its case', () => {
    expect(['plan.DWG', 'a.b.Jpeg', 'sheet.csv', 'film.MOV', 'paper.pdf'].map(previewKind)).toEqual([
      'cad',
      'image',
      'office',
      'video',
      'pdf',
    ])
    expect(Object.values(PREVIEW_TYPES).flat()).toHaveLength(2 + 7 + 7 + 4 + 1)
  })

  it('has nothing for other files', () => {
    expect(['archive.zip', 'pdf', 'name.', '', 'x.constructor'].map(previewKind)).toEqual(Array(5).fill(undefined))
  })
})
