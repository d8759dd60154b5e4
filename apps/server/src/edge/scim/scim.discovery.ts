import { SCIM_PATH } from '@godwit/contract'
import { GROUP_SCHEMA } from './scim.groups.ts'
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './scim.users.ts'

/** Resources on a page at most. */
export const RESULTS_MAX = 1000

/** What this server can, RFC 7643 §5. */
export const SERVICE_PROVIDER_CONFIG = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: RESULTS_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'OAuth Bearer Token',
      description: 'The token of the connection, made on the page Authentication of the console',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${SCIM_PATH}/ServiceProviderConfig` },
}

interface ResourceType {
  readonly id: string
  readonly endpoint: string
  readonly schema: string
  readonly extensions: readonly string[]
}

const TYPES: readonly ResourceType[] = [
  { id: 'User', endpoint: '/Users', schema: USER_SCHEMA, extensions: [ENTERPRISE_SCHEMA] },
  { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA, extensions: [] },
]

/** RFC 7643 §6. */
export const RESOURCE_TYPES = TYPES.map(({ id, endpoint, schema, extensions }) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  ...{ id, name: id, endpoint, schema },
  schemaExtensions: extensions.map((extension) => ({ schema: extension, required: false })),
  meta: { resourceType: 'ResourceType', location: `${SCIM_PATH}/ResourceTypes/${id}` },
}))

interface AttributeOptions {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference'
  readonly isMany?: boolean
  readonly isRequired?: boolean
  readonly isExact?: boolean
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable'
  readonly uniqueness?: 'none' | 'server'
  readonly parts?: readonly object[]
}

/** A description of an attribute, RFC 7643 §7. */
function attribute(name: string, options: AttributeOptions = {}) {
  const { type = 'string', isMany = false, isRequired = false, isExact = false, parts } = options
  const { mutability = 'readWrite', uniqueness = 'none' } = options
  return {
    ...{ name, type, multiValued: isMany, required: isRequired, caseExact: isExact },
    ...{ mutability, returned: 'default', uniqueness },
    ...(parts === undefined ? {} : { subAttributes: parts }),
  }
}

const CONTACT = [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })]
const LINK = [
  attribute('value', { mutability: 'immutable', isExact: true }),
  attribute('display', { mutability: 'readOnly' }),
  attribute('type', { mutability: 'immutable' }),
  attribute('$ref', { type: 'reference', mutability: 'immutable' }),
]
const NAME_PARTS = [attribute('formatted'), attribute('givenName'), attribute('familyName')]

const USER_DESCRIPTIONS = [
  attribute('userName', { isRequired: true, uniqueness: 'server' }),
  attribute('externalId', { isExact: true }),
  attribute('displayName'),
  attribute('name', { type: 'complex', parts: NAME_PARTS }),
  attribute('active', { type: 'boolean' }),
  attribute('emails', { type: 'complex', isMany: true, parts: CONTACT }),
  attribute('phoneNumbers', { type: 'complex', isMany: true, parts: CONTACT }),
  attribute('groups', { type: 'complex', isMany: true, mutability: 'readOnly', parts: LINK }),
]

const GROUP_DESCRIPTIONS = [
  attribute('displayName', { isRequired: true, uniqueness: 'server' }),
  attribute('externalId', { isExact: true }),
  attribute('members', { type: 'complex', isMany: true, parts: LINK }),
]

/** RFC 7643 §7. */
export const SCHEMAS = [
  { id: USER_SCHEMA, name: 'User', description: 'An account', attributes: USER_DESCRIPTIONS },
  { id: GROUP_SCHEMA, name: 'Group', description: 'A group', attributes: GROUP_DESCRIPTIONS },
  {
    id: ENTERPRISE_SCHEMA,
    name: 'EnterpriseUser',
    description: 'The department of an account',
    attributes: [attribute('department')],
  },
].map((schema) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  ...schema,
  meta: { resourceType: 'Schema', location: `${SCIM_PATH}/Schemas/${schema.id}` },
}))
