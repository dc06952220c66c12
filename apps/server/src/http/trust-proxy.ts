import { BlockList, isIP } from 'node:net';
import type { Config } from '../config.ts';

/** Whether what an address forwards is believed; the peer of the connection is hop 0, who it names is hop 1. */
export type IsTrusted = (address: string, hop: number) => boolean;

/** The proxies of `TRUST_PROXY`. False: there are none. */
export function trustedBy(trustProxy: Config['trustProxy']): IsTrusted | false {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  if (!trustProxy) return false;
  const trusted = new BlockList();
  for (const network of trustProxy) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    trusted.addSubnet(address, Number(bits ?? { ipv4: 32, ipv6: 128 }[family]), family);
  }
  // What a proxy forwards need not be an address.
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
