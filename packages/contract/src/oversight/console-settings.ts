import type { ErrorName } from '../errors/catalogue.ts'
import { FEATURES, type Feature } from '../foundation/editions.ts'
import { z } from 'zod'
import type { ConsoleRight } from '../identity/console-rights.ts'
import { listQuery, listReply } from '../identity/console-lists.ts'
import { defineRoute } from '../wire/route.ts'
import type { OperationName } from './operation-names.ts'
import { SETTING_FORMATS, SETTING_KINDS, SETTING_TABS } from './setting-tabs.ts'

const words = z.object({ 'zh-CN': z.string(), 'en-US': z.string() })
const value = z.union([z.string(), z.number()])
export type SettingValue = z.infer<typeof value>

const setting = z.object({
  key: z.string(),
  tab: z.enum(SETTING_TABS),
  label: words,
  kind: z.enum(SETTING_KINDS),
  format: z.enum(SETTING_FORMATS).nullable(),
  /** Of a number. */
  min: z.number().nullable(),
  max: z.number().nullable(),
  /** Of a text, in characters. */
  maxLength: z.number().nullable(),
  /** Empty unless it is a choice. */
  choices: z.array(z.object({ value, label: words })),
  /** What is in force for the whole site. */
  value,
  byDefault: value,
  /** Whether the site has a value of its own. */
  isSet: z.boolean(),
  /** Takes effect with the next start. */
  restart: z.boolean(),
  /** Spaces, groups or accounts may have values of their own. */
  isWide: z.boolean(),
  /** What the edition must have for anything but the default. */
  feature: z.enum(FEATURES).nullable(),
})
export type ConsoleSetting = z.infer<typeof setting>

const change = z.strictObject({
  key: z.string().max(100),
  /** The value that the change began with. */
  from: value,
  /** Null resets to the default. */
  value: value.nullable(),
})
export type ConsoleSettingChange = z.infer<typeof change>

const past = z.object({
  id: z.string(),
  at: z.int(),
  key: z.string(),
  label: words,
  /** What its values are, as those of the setting itself. */
  ...{ kind: setting.shape.kind, choices: setting.shape.choices },
  /** Account, or `operator` for the command line. */
  by: z.string(),
  door: z.string(),
  /** Null: the default was in force. */
  before: value.nullable(),
  after: value.nullable(),
})
export type ConsoleSettingChanged = z.infer<typeof past>

/** Changes of one save, at most: every setting of a page. */
const CHANGES_MAX = 200

interface SettingRoutesOf {
  readonly path: string
  /** What the settings are about, in the summaries. */
  readonly about: string
  readonly view: ConsoleRight
  readonly edit: ConsoleRight
  readonly log: OperationName
  /** What the edition must have to change them. */
  readonly feature?: Feature
  /** What these values may be refused for besides. */
  readonly errors?: readonly ErrorName[]
}

/** List, change and history of the settings of some tabs, under rights of their own. */
function settingRoutes({ path, about, view, edit, log, feature, errors: more = [] }: SettingRoutesOf) {
  return {
    list: defineRoute({
      method: 'GET',
      path,
      summary: `Settings of ${about}: field, value in force, default and texts of each`,
      access: { right: view },
      reply: z.object({ settings: z.array(setting) }),
      errors: [],
    }),
    edit: defineRoute({
      method: 'PATCH',
      path,
      summary: `Change settings of ${about}, all or none; every node follows within two seconds`,
      access: { right: edit },
      ...(feature === undefined ? {} : { feature }),
      log,
      body: z.strictObject({ changes: z.array(change).min(1).max(CHANGES_MAX) }),
      reply: z.object({ settings: z.array(setting) }),
      errors: [
        'PARAMETER_INVALID',
        'PERMISSION_DENIED',
        'EDIT_CONFLICT',
        'TCP_DELAY_REQUIRED',
        'CLIENT_UPGRADE_TERMS_MISSING',
        'ADDRESS_LIST_INVALID',
        'ADDRESS_SHUTS_OUT',
        'LIST_TOO_LONG',
        'PORT_INVALID',
        'PACKAGE_SIZE_INVALID',
        'EDITION_FEATURE_MISSING',
        ...more,
      ],
    }),
    history: defineRoute({
      method: 'GET',
      path: `${path}/history`,
      summary: `Who changed settings of ${about}, when, from what to what; the newest first`,
      access: { right: view },
      query: z.object({ page: listQuery.page, size: listQuery.size, text: listQuery.text }),
      reply: listReply(past),
      errors: [],
    }),
  }
}

export const adminSettingRoutes = settingRoutes({
  path: '/api/admin/settings',
  about: 'the site',
  view: 'settings.view',
  edit: 'settings.edit',
  log: 'setting.edit',
})

export const adminSecuritySettingRoutes = settingRoutes({
  path: '/api/admin/security/settings',
  about: 'security',
  view: 'security.edit',
  edit: 'security.edit',
  log: 'security.edit',
})

export const adminDesignRoutes = settingRoutes({
  path: '/api/admin/design/settings',
  about: 'the design',
  view: 'design.edit',
  edit: 'design.edit',
  log: 'design.edit',
  feature: 'customisation',
})

/** Where archives of everything go is as good as the host itself. */
export const adminBackupSettingRoutes = settingRoutes({
  path: '/api/admin/backups/settings',
  about: 'backups',
  view: 'backup.run',
  edit: 'backup.restore',
  log: 'backup.edit',
})

/** Subjects and texts of mails, in both languages. */
export const adminMailSettingRoutes = settingRoutes({
  path: '/api/admin/mail/settings',
  about: 'the texts of mails',
  view: 'mail.edit',
  edit: 'mail.edit',
  log: 'mail.words',
})

/** What certificate is ordered, and where. */
export const adminCertificateSettingRoutes = settingRoutes({
  path: '/api/admin/certificates/settings',
  about: 'certificates',
  view: 'certificates.edit',
  edit: 'certificates.edit',
  log: 'certificate.edit',
  errors: ['ACME_NAMES_MISSING', 'ACME_TERMS_MISSING'],
})
