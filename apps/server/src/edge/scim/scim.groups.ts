import { SCIM_PATH } from '@godwit/contract'
import type { GroupField } from '../../identity/provisioning/index.ts'
import type { MembersStep, ProvisionedGroup, WantedGroup } from '../../oversight/provisioning/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { noTarget } from './scim.answers.ts'
import { parsed, type Searchable } from './scim.filter.ts'
import { listOf, stepsIn, type Attributes, type AttributeSpec, type Step } from './scim.patch.ts'
import { timeOf, versionOf } from './scim.users.ts'

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

const MEMBERS: AttributeSpec = { name: 'members', kind: 'many', parts: ['value'] }

/** Those of RFC 7643 §4.2. */
const GROUP_ATTRIBUTES: Attributes = {
  displayname: { name: 'displayName', kind: 'one' },
  externalid: { name: 'externalId', kind: 'one' },
  members: MEMBERS,
  id: { name: 'id', kind: 'fixed' },
  meta: { name: 'meta', kind: 'fixed' },
}

/** What a filter may name. */
export const GROUP_FIELDS: Searchable<GroupField> = {
  ...{ id: 'id', externalid: 'externalId', displayname: 'displayName' },
  ...{ members: 'member', 'members.value': 'member' },
}

/** A group as the other side is shown it. */
export function presentGroup({ group, link, members }: ProvisionedGroup) {
  return {
    schemas: [GROUP_SCHEMA],
    id: String(group.id),
    ...(link === undefined || link.external_id === '' ? {} : { externalId: link.external_id }),
    displayName: group.name,
    members: members.map(({ id, account, name }) => ({
      ...{ value: id, display: name === '' ? account : name, type: 'User', $ref: `${SCIM_PATH}/Users/${id}` },
    })),
    meta: {
      resourceType: 'Group',
      created: timeOf(group.created_at),
      lastModified: timeOf(link?.changed_at ?? group.created_at),
      location: `${SCIM_PATH}/Groups/${group.id}`,
      version: versionOf(group.revision),
    },
  }
}

/** A message that describes a whole group. @throws AppError SCIM_BODY_INVALID, SCIM_VALUE_INVALID */
export function wantedGroup(body: Readonly<Record<string, unknown>>): WantedGroup & { readonly displayName: string } {
  const given = new Map(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value]))
  const schemas = given.get('schemas')
  if (!Array.isArray(schemas) || !schemas.includes(GROUP_SCHEMA)) throw new AppError('SCIM_BODY_INVALID')
  return {
    displayName: text(given.get('displayname'), 'displayName'),
    externalId: text(given.get('externalid') ?? '', 'externalId'),
    members: [{ step: 'set', ids: idsIn(given.get('members') ?? []) }],
  }
}

/**
 * What a PATCH makes of a group. Members are taken as steps, so that nobody has to load all of them to add one.
 * @throws AppError SCIM_BODY_INVALID, SCIM_PATH_INVALID, SCIM_VALUE_INVALID, SCIM_READ_ONLY
 */
export function groupPatch(body: unknown): WantedGroup {
  let wanted: WantedGroup = { members: [] }
  for (const step of stepsIn(body, GROUP_ATTRIBUTES)) {
    const { name } = step.spec
    if (name === 'members') wanted = { ...wanted, members: [...wanted.members, membersStep(step)] }
    // A group has a name.
    else if (step.op === 'remove' && name === 'displayName')
      throw new AppError('SCIM_VALUE_INVALID', { attribute: name })
    else wanted = { ...wanted, [name]: step.op === 'remove' ? '' : text(step.value, name) }
  }
  return wanted
}

function membersStep({ op, filter, part, value }: Step): MembersStep {
  if (part !== undefined) throw new AppError('SCIM_PATH_INVALID')
  if (filter !== undefined) {
    if (op !== 'remove') throw noTarget()
    return { step: 'remove', ids: [memberIn(filter)] }
  }
  if (op === 'remove') {
    const isAll = value === undefined || value === null
    return isAll ? { step: 'set', ids: [] } : { step: 'remove', ids: idsIn(value) }
  }
  return { step: op === 'add' ? 'add' : 'set', ids: idsIn(value) }
}

/** Okta and Entra ID name one member in brackets: `members[value eq "42"]`. @throws AppError SCIM_PATH_INVALID */
function memberIn(filter: string): string {
  const { op, ...rest } = parsed(filter)
  const isId = op === 'eq' && 'compValue' in rest && rest.attrPath.toLowerCase() === 'value'
  if (!isId || typeof rest.compValue !== 'string') throw new AppError('SCIM_PATH_INVALID')
  return rest.compValue
}

function idsIn(value: unknown): string[] {
  return listOf(value).map((member) => {
    const id: unknown = typeof member === 'object' && member !== null && 'value' in member ? member.value : member
    if (typeof id !== 'string' || id === '' || id.length > 64)
      throw new AppError('SCIM_VALUE_INVALID', { attribute: 'members.value' })
    return id
  })
}

function text(value: unknown, attribute: string): string {
  if (typeof value !== 'string' || value.length > 255) throw new AppError('SCIM_VALUE_INVALID', { attribute })
  return value
}
