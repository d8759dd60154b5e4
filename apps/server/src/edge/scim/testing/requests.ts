/**
 * Requests as Microsoft Entra ID and Okta send them, after the examples of their public documentation ("Develop a SCIM endpoint",
 * "SCIM 2.0 API reference").
 */
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

interface PersonOf {
  readonly userName: string
  readonly given: string
  readonly family: string
}

export function patchOf(...operations: readonly object[]) {
  return { schemas: [PATCH], Operations: operations }
}

export const entra = {
  user: ({ userName, given, family }: PersonOf) => ({
    schemas: [`${CORE}:User`, ENTERPRISE],
    externalId: `entra-${given.toLowerCase()}`,
    userName,
    active: true,
    displayName: `${given} ${family}`,
    emails: [{ primary: true, type: 'work', value: userName }],
    meta: { resourceType: 'User' },
    name: { formatted: `${given} ${family}`, familyName: family, givenName: given },
    roles: [],
    [ENTERPRISE]: { department: 'Research', employeeNumber: '4711', manager: { value: 'x' } },
  }),
  /** An update of several attributes in one request, with its capital letters. */
  update: (email: string) =>
    patchOf(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
      { op: 'Replace', path: 'name.familyName', value: 'Zhang' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+1 (425) 555-0100' },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Design' },
      { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: 'One Way' },
    ),
  /** The older form, without the flag for standard booleans. */
  switchOff: patchOf({ op: 'Replace', path: 'active', value: 'False' }),
  switchOn: patchOf({ op: 'Replace', path: 'active', value: 'True' }),
  group: (displayName: string) => ({
    schemas: [`${CORE}:Group`, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: `entra-${displayName}`,
    displayName,
    meta: { resourceType: 'Group' },
  }),
  join: (...ids: readonly string[]) =>
    patchOf({ op: 'Add', path: 'members', value: ids.map((value) => ({ $ref: null, value })) }),
  leave: (...ids: readonly string[]) =>
    patchOf({ op: 'Remove', path: 'members', value: ids.map((value) => ({ $ref: null, value })) }),
} as const

export const okta = {
  user: ({ userName, given, family }: PersonOf) => ({
    schemas: [`${CORE}:User`],
    userName,
    name: { givenName: given, familyName: family },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: `${given} ${family}`,
    locale: 'en-US',
    externalId: `00u-${given.toLowerCase()}`,
    groups: [],
    password: '1mz050nq',
    active: true,
  }),
  switchOff: patchOf({ op: 'replace', value: { active: false } }),
  switchOn: patchOf({ op: 'replace', value: { active: true } }),
  rename: (id: string, displayName: string) => patchOf({ op: 'replace', value: { id, displayName } }),
  leave: (id: string) => patchOf({ op: 'remove', path: `members[value eq "${id}"]` }),
  join: (value: string, display: string) => patchOf({ op: 'add', path: 'members', value: [{ value, display }] }),
  members: (...ids: readonly string[]) =>
    patchOf({ op: 'replace', path: 'members', value: ids.map((value) => ({ value })) }),
} as const
