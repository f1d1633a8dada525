"""The measures, one module for each family; `bsp_sat.grading.registry` lists them."""
