export { addressListField, type AddressListOptions } from './address-list-field.tsx'
