"""Makes ``python -m bsp_sat`` the same as ``bsp-sat``."""

from bsp_sat.cli import main

if __name__ == "__main__":
    main()
