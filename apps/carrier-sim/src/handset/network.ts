import type { Receipt } from '../outcomes/outcome.js';

/**
 * Mobile country and network codes, each with a country code and prefixes behind it. Not complete:
 * of Great Britain's hundreds of prefixes it has those of documented and tested numbers.
 */
const PREFIXES: Readonly<Record<string, string>> = {
  '62120': '234 701 708 802 808 812 901 902 904 907 911 912',
  '62130': '234 703 704 706 707 803 806 810 813 814 816 903 906 913 916 7025 7026',
  '62150': '234 705 805 807 811 815 905 915',
  '62160': '234 809 817 818 908 909',
  '63902': '254 11 14 70 71 72 740 741 742 743 745 746 748 749 757 758 759 768 769 79',
  '63903': '254 10 73 750 751 752 753 754 755 756 761 762 78',
  '63907': '254 120 77',
  '62001': '233 24 25 53 54 55 59',
  '62002': '233 20 50',
  '62003': '233 23 26 27 56 57',
  '65501':
    '27 606 607 608 609 636 637 646 647 648 649 660 661 662 663 664 665 673 674 675 71 72 76 79 818 82',
  '65502': '27 601 602 614 658 659 670 671 672 676 677 678 679 68 75 811 812 813 814 815 817',
  '65507':
    '27 610 611 612 613 615 616 617 618 619 62 641 642 643 644 645 650 651 652 653 654 74 84',
  '65510': '27 603 604 605 630 631 640 655 656 657 686 687 688 689 710 717 718 719 73 78 810 83',
  '23410': '44 7700900',
  '23420': '44 7400',
  '61202': '225 01',
  '61203': '225 07',
  '61205': '225 05',
  '61602': '229 0145 0155 0158 0160 0163 0164 0165 0168 0194 0195 0198 0199',
  '61603': '229 0142 0146 0161 0162 0166 0167 0169 0190 0191 0196 0197',
};

const codesByPrefix = new Map(
  Object.entries(PREFIXES).flatMap(([mccMnc, listed]) => {
    const [country, ...prefixes] = listed.split(' ');
    return prefixes.map((prefix): [string, string] => [`+${country}${prefix}`, mccMnc]);
  }),
);
const LENGTHS = [...new Set([...codesByPrefix.keys()].map(({ length }) => length))];
LENGTHS.sort((one, other) => other - one);

/** Mobile country and network codes of a number, by its prefix. Undefined where none is known. */
export function mccMncOf(to: string): string | undefined {
  for (const length of LENGTHS) {
    const mccMnc = codesByPrefix.get(to.slice(0, length));
    if (mccMnc !== undefined) return mccMnc;
  }
  return undefined;
}

/** The network that a receipt names: that of a ported number, else the prefix's. */
export function networkOf(to: string, { network }: Receipt): string | undefined {
  return network ?? mccMncOf(to);
}
