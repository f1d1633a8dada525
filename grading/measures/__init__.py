"""The measures, a module a family; `bsp_sat.grading.registry` lists them."""
